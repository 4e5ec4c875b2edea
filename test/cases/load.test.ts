import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { packageRoot } from '../../src/package.js'
import { relations } from '../../src/relations.js'
import { temporaryFolder } from '../support/folder.js'
import { loadWalks, openTestWarehouse, type TestWalk } from '../support/landed.js'

/**
 * A folder a case: `given.json` holds walks as the service would answer them, `expected.json` the rows of every
 * relation it names, as text, without nulls, request ids and arrival instants.
 */
interface Given {
  why: string
  runs: { tradingDate: string; walks: TestWalk[] }[]
}

const folder = join(packageRoot, 'test/cases/load')

test.each(readdirSync(folder).sort())('%s', async (name) => {
  const given = read<Given>(name, 'given.json')
  const expected = read<Record<string, Record<string, string>[]>>(name, 'expected.json')
  const home = temporaryFolder()
  const warehouse = await openTestWarehouse(home)
  for (const [index, { tradingDate, walks }] of given.runs.entries()) {
    const run = `2025060${index + 1}T120000000Z-case`
    await loadWalks(warehouse, home, walks, { tradingDate, run })
  }
  for (const [relation, rows] of Object.entries(expected)) {
    const { key } = relations.find((each) => each.name === relation) ?? { key: [] }
    const held = await warehouse.rows<Record<string, string>>(
      `SELECT COLUMNS(* EXCLUDE (request_id, observed_at, loaded_at))::VARCHAR FROM
         (FROM ${relation} SELECT *, NULL AS request_id, NULL AS observed_at, NULL AS loaded_at) ORDER BY ${key.map((column) => `"${column}"`).join(', ')}`,
    )
    expect(held.map(withoutNulls), relation).toEqual(rows)
  }
})

test('every loading statement has a case', () => {
  const tested = readdirSync(folder).map((name) => read<Given>(name, 'given.json'))
  const datasets = new Set(
    tested.flatMap(({ runs }) => runs.flatMap(({ walks }) => walks.map((walk) => walk.window.dataset))),
  )
  const statements = readdirSync(join(packageRoot, 'sql/load'))
    .filter((file) => file.endsWith('.sql'))
    .map((file) => file.replace('.sql', ''))
  expect([...datasets].sort()).toEqual(statements.sort())
})

function read<Content>(name: string, file: string): Content {
  return JSON.parse(readFileSync(join(folder, name, file), 'utf8')) as Content
}

function withoutNulls(row: Record<string, string | null>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(row).filter((entry): entry is [string, string] => entry[1] !== null),
  )
}
