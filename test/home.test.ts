import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { removeLeftovers } from '../src/home.js'
import { temporaryFolder } from './support/folder.js'

test('what a killed run had not renamed yet is removed, whatever its target; files of other names stay', () => {
  const home = temporaryFolder()
  mkdirSync(join(home, 'logs'))
  const left = [
    'session-desk.json.7.tmp',
    'lake.ducklake.812.tmp',
    'catalog.duckdb.7.tmp.wal',
    'metrics.prom.tmp',
  ]
  const leftInLogs = ['last-nightly.json.9.tmp', 'last-bucket.json.9.tmp', 'report-answers.json.4194305.tmp']
  const others = ['warehouse.duckdb', 'notes.7.tmp', 'session.json', 'my session.json.7.tmp']
  for (const name of [...left, ...others]) writeFileSync(join(home, name), '')
  for (const name of [...leftInLogs, 'last-run.json']) writeFileSync(join(home, 'logs', name), '')
  removeLeftovers(home, 0)
  expect(readdirSync(home).sort()).toEqual(['logs', ...others].sort())
  expect(readdirSync(join(home, 'logs'))).toEqual(['last-run.json'])
})
