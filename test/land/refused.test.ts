import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { systemEffects } from '../../src/effects.js'
import { storeRefused } from '../../src/land/refused.js'
import { temporaryFolder } from '../support/folder.js'

test('bodies that are not pages are kept for a look, the first twenty of a run and a MiB of each', async () => {
  const home = temporaryFolder()
  const folder = join(home, 'raw/refused')
  const large = Buffer.alloc(3 * 1024 * 1024, 'x')
  for (let number = 1; number <= 30; number++)
    await storeRefused(home, 'run1', `run1-${number}`, large, systemEffects)
  await storeRefused(home, 'run2', 'run2-1', Buffer.from('[{'), systemEffects)
  await storeRefused(home, 'run2', 'run2-2', Buffer.alloc(0), systemEffects)
  const names = readdirSync(folder)
  expect(names.filter((name) => name.startsWith('run1'))).toHaveLength(20)
  expect(names.filter((name) => name.startsWith('run2'))).toEqual(['run2-1.body'])
  expect(readFileSync(join(folder, 'run2-1.body'), 'utf8')).toBe('[{')
  expect(statSync(join(folder, 'run1-1.body')).size).toBe(1024 * 1024)
  expect(statSync(join(folder, 'run1-1.body')).mode & 0o777).toBe(0o600)
})
