import { expect, test } from 'vitest'
import { sqlFile } from '../../src/duckdb/sqlfile.js'
import { emptyWarehouse } from '../support/memory.js'

/** Sessions of rule 9, from the first of March on: `.` pass, `s` soft, `b` break, `a` an overridden break. */
const STATES = { '.': 'pass', s: 'soft', b: 'break', a: 'break' }

test.each([
  ['a break of an earlier session stays in sight when the latest one passes', 'b..', ['1 break', '3 pass']],
  ['what is worth a look does so too', '.s.', ['2 soft', '3 pass']],
  ['but not longer than 20 sessions', `s${'.'.repeat(20)}`, ['21 pass']],
  ['a break does', `b${'.'.repeat(20)}`, ['1 break', '21 pass']],
  ['a break that was overridden does not', `a${'.'.repeat(20)}`, ['21 pass']],
  ['the latest finding is there once', '..b', ['3 break']],
])('findings: %s', async (_, sessions, shown) => {
  const database = await emptyWarehouse()
  for (const [index, mark] of [...sessions].entries()) {
    const day = `2025-03-${String(index + 1).padStart(2, '0')}`
    await database.run(
      `INSERT INTO recon.finding BY NAME SELECT 9 AS rule, 'market' AS subject, DATE '${day}' AS trading_date,
        '${STATES[mark as keyof typeof STATES]}' AS state, ${mark === 'a' ? "'known'" : 'NULL'} AS accepted`,
    )
  }
  const rows = await database.rows<{ trading_date: unknown; state: string }>(sqlFile('console/findings.sql'))
  const day = (row: { trading_date: unknown }) => Number(String(row.trading_date).slice(-2))
  expect(rows.map((row) => `${day(row)} ${row.state}`)).toEqual(shown)
})
