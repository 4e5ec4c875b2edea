import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { packageRoot } from '../../src/package.js'
import { limit, warehouseOf } from '../audit/world.js'

/**
 * Rules of symbols on days, with the public page that states them: columns as those of `mart.instrument_rule_as_of`; an empty value
 * stands for one that does not apply or is not known. Who collected them collected the rulebook too, so they prove the look-up
 * and not the facts; settlement dates were computed by another program, and notices state 29 of them.
 */
const [header = '', ...lines] = readFileSync(join(packageRoot, 'test/rulebook/cases.csv'), 'utf8')
  .trim()
  .split('\n')
const columns = header.split(',')
const cases = lines.map((line) => {
  const values = line.split(',')
  return Object.fromEntries(columns.map((name, at) => [name, values[at] ?? '']))
})

const numberOf = (text: string | undefined): number | null => (text ? Number(text) : null)

describe('rules that public pages state', () => {
  test('are 200 cases: 60 before the codes changed, 40 futures, 20 of 2027', () => {
    expect(cases).toHaveLength(200)
    expect(cases.filter(({ day = '' }) => day < '2025-05-05').length).toBeGreaterThanOrEqual(60)
    expect(cases.filter(({ kind }) => kind === 'future').length).toBeGreaterThanOrEqual(40)
    expect(cases.filter(({ day }) => day?.startsWith('2027'))).toHaveLength(20)
    expect(cases.filter(({ source }) => !source)).toEqual([])
  })

  test('are those of mart.instrument_rule_as_of', async () => {
    // A board is a fact of a day: each case has price limits of its own day.
    const database = await warehouseOf({
      'market.price_limit': cases
        .filter(({ board }) => board !== 'DERIVATIVE')
        .map(({ symbol = '', day = '', board = '' }) =>
          limit({ symbol, trading_date: day, exchange: board }),
        ),
    })
    // The same statement for all: planning it takes ten times as long as running it.
    await database.run('CREATE OR REPLACE TEMP TABLE asked_case (symbol VARCHAR, day DATE)')
    for (const given of cases) {
      await database.run(
        `TRUNCATE asked_case; INSERT INTO asked_case VALUES ('${given.symbol}', DATE '${given.day}')`,
      )
      const [found] = await database.rows<Record<string, unknown>>(
        `SELECT *, CAST(lot_size AS INTEGER) AS lot, CAST(settlement_date AS VARCHAR) AS settles
         FROM mart.instrument_rule_as_of((SELECT symbol FROM asked_case), (SELECT day FROM asked_case))`,
      )
      expect([given.symbol, given.day, found]).toEqual([
        given.symbol,
        given.day,
        expect.objectContaining({
          kind: given.kind,
          board: given.board,
          multiplier: numberOf(given.multiplier) ?? 1,
          price_band: numberOf(given.price_band),
          lot: numberOf(given.lot_size),
          sell_tax: numberOf(given.sell_tax),
        }),
      ])
      if (given.kind === 'future')
        expect([given.symbol, found?.underlying]).toEqual([given.symbol, given.underlying])
      const { day = '', settlement_date = '' } = given
      if (settlement_date !== '')
        expect([given.symbol, day, found?.settles]).toEqual([given.symbol, day, settlement_date])
    }
  })
})
