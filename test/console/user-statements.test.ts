import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { scrub } from 'candlehouse-foundation/secrets'
import { expect, test } from 'vitest'
import { UserStatements } from '../../src/console/user-statements.js'
import { systemEffects } from '../../src/effects.js'
import { temporaryFolder } from '../support/folder.js'
import { sharedHome } from '../support/shared-home.js'
import { serve } from './support/served.js'

function keeping() {
  const folder = temporaryFolder()
  const environment = { XDG_STATE_HOME: join(folder, 'state'), XDG_DATA_HOME: join(folder, 'data') }
  return {
    environment,
    clean: (text: string) => scrub(text, ['c4nary-key']),
    folder: join(folder, 'data', 'candlehouse', 'statements'),
  }
}

test('statements that were run are listed again, as they were typed, the latest first and each once', async () => {
  const kept = keeping()
  const first = new UserStatements(kept, systemEffects)
  for (const sql of ['select 1', 'select\n  2', 'select 1', "select 'c4nary-key'", '  ']) await first.add(sql)
  const next = new UserStatements(kept, systemEffects)
  expect((await next.list()).history).toEqual(['select 1', 'select\n  2'])
  const file = join(kept.environment.XDG_STATE_HOME, 'candlehouse', 'console_history')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  writeFileSync(file, 'not of ours\n"select 3"\n')
  expect((await new UserStatements(kept, systemEffects).list()).history).toEqual(['select 3'])
})

test('saved statements are files that a person can edit, replaced by name and removed', async () => {
  const { folder, ...kept } = keeping()
  const statements = new UserStatements(kept, systemEffects)
  await statements
    .save('Top 10 – no', 'select 1')
    .catch((error: Error) => expect(error.message).toMatch(/a name has/))
  await statements.save('Top 10', 'select 1\n')
  await statements.save('Top 10', 'select 2')
  await statements.save('Cổ phiếu', 'select 3')
  const file = join(folder, 'Top 10.sql')
  expect([readFileSync(file, 'utf8'), statSync(file).mode & 0o777]).toEqual(['select 2\n', 0o600])
  writeFileSync(join(folder, 'edited.sql'), 'select 4')
  writeFileSync(join(folder, 'notes.txt'), 'x')
  statements.remove('Cổ phiếu')
  expect((await statements.list()).saved).toEqual([
    { name: 'Top 10', sql: 'select 2' },
    { name: 'edited', sql: 'select 4' },
  ])
})

test.each(['../x', '.x', 'a/b', '', 'x'.repeat(61), 'a\u0000'])('%j is not a name', async (name) => {
  const { folder, ...kept } = keeping()
  const statements = new UserStatements(kept, systemEffects)
  await expect(statements.save(name, 'select 1')).rejects.toThrow('a name has')
  expect(() => statements.remove(name)).toThrow('a name has')
  expect(existsSync(folder)).toBe(false)
})

test('a statement with a credential is not saved', async () => {
  const statements = new UserStatements(keeping(), systemEffects)
  await expect(statements.save('x', "select 'c4nary-key'")).rejects.toThrow('credential')
})

test('the console lists what its pages ran and saved, and keeps nothing where it was not told where', async () => {
  const { home } = sharedHome()
  const console = await serve(home, { keeping: keeping() })
  await console.ask('/api/results', { body: { sql: 'select 1 as one' } })
  await console.ask('/api/sql', { body: { sql: 'select 2 as of_a_program' } })
  const saved = await console.ask('/api/statements/save', { body: { name: 'One', sql: 'select 1' } })
  const list = { history: ['select 1 as one'], saved: [{ name: 'One', sql: 'select 1' }] }
  expect([saved.json(), (await console.ask('/api/statements')).json()]).toEqual([list, list])
  const removed = await console.ask('/api/statements/remove', { body: { name: 'One' } })
  expect(removed.json()).toEqual({ ...list, saved: [] })
  expect((await console.ask('/api/statements', { withToken: false })).status).toBe(401)
  const other = await serve(home)
  expect((await other.ask('/api/statements')).json()).toEqual({ history: [], saved: [] })
  expect((await other.ask('/api/statements/save', { body: { name: 'x', sql: 'select 1' } })).status).toBe(409)
})
