import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { statedRules } from '../../src/console/reference.js'
import { temporaryFolder } from '../support/folder.js'

test('the console states rules of the user’s own behind those of the package, with their name', () => {
  const home = temporaryFolder()
  mkdirSync(join(home, 'sql', 'rules'), { recursive: true })
  const files = {
    'late.sql': '-- rule: 1002\n-- title: later\n-- severity: error\n-- why: because\nSELECT 1',
    'early.sql': '-- rule: 1001\n-- title: earlier\n-- severity: warn\nSELECT 1',
    'broken.sql': 'SELECT 1',
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(home, 'sql', 'rules', name), text)
  const own = statedRules(home).filter(({ number }) => number >= 1000)
  expect(own).toMatchObject([
    { number: 1001, title: 'mine.early: earlier', severity: 'warn', about: 'market' },
    { number: 1002, title: 'mine.late: later', severity: 'error', why: 'because' },
  ])
  expect(statedRules(home)[0]).toMatchObject({ number: 1 })
})
