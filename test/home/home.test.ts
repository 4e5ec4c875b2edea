import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { removeLeftovers } from '../../src/home/home.js'
import { temporaryFolder } from '../support/folder.js'

test('what a killed run had not renamed yet is removed, whatever its target; files of other names stay', () => {
  const home = temporaryFolder()
  for (const folder of ['logs', 'logs/conclusions', 'reports']) mkdirSync(join(home, folder))
  const left = [
    'session-desk.json.7.tmp',
    'lake.ducklake.812.tmp',
    'catalog.duckdb.7.tmp.wal',
    'metrics.prom.tmp',
  ]
  const leftBelow = [
    'logs/last-nightly.json.9.tmp',
    'logs/report-answers.json.4194305.tmp',
    'logs/conclusions/2025-03-14.json.9.tmp',
    'reports/2025-03-14.html.9.tmp',
  ]
  const others = ['warehouse.duckdb', 'notes.7.tmp', 'session.json', 'my session.json.7.tmp']
  const kept = [...others, 'logs/last-run.json', 'reports/latest.html']
  for (const name of [...left, ...leftBelow, ...kept]) writeFileSync(join(home, name), '')
  removeLeftovers(home, 0)
  const names = readdirSync(home, { recursive: true }) as string[]
  expect(names.sort()).toEqual(['logs', 'logs/conclusions', 'reports', ...kept].sort())
})
