import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadSnapshot } from '../../src/load/account/load-snapshot.js'
import { packageRoot } from '../../src/package.js'
import type { PartName } from '../../src/plan/parts.js'
import { relations } from '../../src/relations.js'
import { DEFAULT_KEY_NAME } from '../../src/settings/key-name.js'
import { temporaryFolder } from '../support/folder.js'
import { landParts, openTestWarehouse } from '../support/landed.js'
import { ACCOUNT_CASES, loadSnapshots, readAccountCase, type SnapshotCase } from './snapshots.js'

// A folder a case: `given.json` holds snapshots as the service would answer them, `expected.json` the rows of every relation it
// names, as text, without nulls, request ids, arrival instants and the name of the only key.

test.each(ACCOUNT_CASES)('%s', async (name) => {
  const given = readAccountCase<SnapshotCase>(name, 'given.json')
  const expected = readAccountCase<Record<string, Record<string, string>[]>>(name, 'expected.json')
  const home = temporaryFolder()
  const warehouse = await openTestWarehouse(home)
  await loadSnapshots(warehouse, home, given)
  for (const [relation, rows] of Object.entries(expected)) {
    const { key } = relations.find((each) => each.name === relation) ?? { key: [] }
    const left = ['request_id', 'loaded_at', 'received_at']
    const held = await warehouse.rows<Record<string, string>>(
      `SELECT COLUMNS(* EXCLUDE (${left.join(', ')}))::VARCHAR FROM
         (FROM ${relation} SELECT *, ${left.map((column) => `NULL AS ${column}`).join(', ')})
       ORDER BY ${key.map((column) => `"${column}"`).join(', ')}`,
    )
    expect(held.map(withoutNulls), relation).toEqual(rows)
  }
})

test('a snapshot that says the same as the one before has nothing to publish but its pages', async () => {
  const home = temporaryFolder()
  const warehouse = await openTestWarehouse(home)
  const { snapshots } = readAccountCase<SnapshotCase>('the-same-answer-changes-nothing', 'given.json')
  for (const [index, { tradingDate, answers }] of snapshots.slice(1, 3).entries()) {
    await warehouse.run('DELETE FROM ops.dirty_partition')
    const walks = await landParts(home, answers, { tradingDate, run: `2025060${index + 1}T120000000Z-case` })
    const suffixes = { broker: 'Broker', depository: 'Depository' }
    await loadSnapshot(warehouse, home, walks, { verify: false, suffixes })
  }
  const dirty = await warehouse.rows('SELECT DISTINCT relation FROM ops.dirty_partition')
  expect(dirty).toEqual([{ relation: 'ops.request' }])
})

test('every loading statement of accounts has a case', () => {
  const tested = new Set(
    ACCOUNT_CASES.flatMap((name) => Object.keys(readAccountCase<object>(name, 'expected.json'))),
  )
  const statements = readdirSync(join(packageRoot, 'sql/load/account')).map((file) =>
    file.replace('.sql', ''),
  )
  const untested = statements.filter((statement) => !tested.has(`account.${statement}`))
  expect(
    untested.map((name) => `account.${name} has no case: expect its rows in test/cases/account`),
  ).toEqual([])
})

test('every part has a case', () => {
  const parts = new Set(
    ACCOUNT_CASES.flatMap((name) =>
      readAccountCase<SnapshotCase>(name, 'given.json').snapshots.flatMap(({ answers }) =>
        answers.map(({ part }) => part),
      ),
    ),
  )
  const all: PartName[] = [
    ...(['accountInfo', 'accountBalance', 'ppmmrAccount', 'position', 'positionDetail'] as const),
    ...(['orderBook', 'fcoList', 'fcoStatusHistory', 'maxBuySell'] as const),
  ]
  const untested = all.filter((part) => !parts.has(part))
  expect(untested.map((part) => `${part} has no case: answer it in test/cases/account/…/given.json`)).toEqual(
    [],
  )
})

/** Without nulls, and without the name of the key where the home has only one. */
function withoutNulls(row: Record<string, string | null>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(row).filter(
      (entry): entry is [string, string] =>
        entry[1] !== null && !(entry[0] === 'key_name' && entry[1] === DEFAULT_KEY_NAME),
    ),
  )
}
