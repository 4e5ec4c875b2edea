import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { scrub } from 'candlehouse-foundation/secrets'
import { expect, test } from 'vitest'
import { systemEffects } from '../../src/effects.js'
import { History } from '../../src/home/statement-history.js'
import { historyFile } from '../../src/home/user-files.js'
import { temporaryFolder } from '../support/folder.js'

const clean = (text: string): string => scrub(text, ['c4nary-key'])

test('statements are kept for the next prompt, the latest first, without repetitions, readable by their owner alone', async () => {
  const file = join(temporaryFolder(), 'state', 'sql_history')
  const first = new History(file, clean, systemEffects)
  expect(await first.open()).toBeUndefined()
  for (const line of ['select 1;', 'select 2;', 'select 2;', 'select 1;']) first.add(line)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const next = new History(file, clean, systemEffects)
  await next.open()
  expect(next.statements).toEqual(['select 1;', 'select 2;', 'select 1;'])
})

test('a statement with a secret is kept nowhere', async () => {
  const file = join(temporaryFolder(), 'sql_history')
  const history = new History(file, clean, systemEffects)
  await history.open()
  history.add('select 1;')
  history.add("select 'c4nary-key';")
  expect(history.statements).toEqual(['select 1;'])
  expect(readFileSync(file, 'utf8')).toBe('select 1;\n')
})

test('a file that others may read is closed to them, and one that has grown is shortened', async () => {
  const file = join(temporaryFolder(), 'sql_history')
  writeFileSync(file, Array.from({ length: 2_000 }, (_, index) => `select ${index};\n`).join(''))
  chmodSync(file, 0o644)
  const history = new History(file, clean, systemEffects)
  await history.open()
  expect(history.statements).toHaveLength(1_000)
  expect(history.statements[0]).toBe('select 1999;')
  expect(readFileSync(file, 'utf8').split('\n')).toHaveLength(1_001)
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

test('where nothing can be kept, the prompt says why and goes on', async () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'state'), '')
  const history = new History(join(folder, 'state', 'sql_history'), clean, systemEffects)
  expect(await history.open()).toMatch(/\S/)
  history.add('select 1;')
  expect(history.statements).toEqual(['select 1;'])
})

test.each([
  [{ XDG_STATE_HOME: '/state', HOME: '/home/an' }, '/state/candlehouse/sql_history'],
  [{ XDG_STATE_HOME: 'relative', HOME: '/home/an' }, '/home/an/.local/state/candlehouse/sql_history'],
  [{ HOME: '/home/an' }, '/home/an/.local/state/candlehouse/sql_history'],
])('with %j the history is %s', (environment, file) => expect(historyFile(environment)).toBe(file))
