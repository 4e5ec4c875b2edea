import { marketRules } from 'candlehouse-foundation/market/rulebook'
import { dividendTax, sellTax } from 'candlehouse-foundation/market/tax'
import { expect, test } from 'vitest'
import { warehouseOf } from '../audit/world.js'

test.each([
  { name: 'sell_tax', inCode: sellTax },
  { name: 'dividend_tax', inCode: dividendTax },
])(
  'mart.$name and the code have the tax of market_rules.csv on the first and the last day of each row',
  async ({ name, inCode }) => {
    const asked = marketRules()
      .filter(({ rule }) => rule === name)
      .flatMap(({ validFrom, validTo, value }) =>
        [validFrom, validTo || '2030-01-02'].map((day) => ({ day, percent: Number(value) })),
      )
    const database = await warehouseOf({})
    const found = await database.rows<{ percent: number | null }>(
      `SELECT CAST(mart.${name}(day) AS DOUBLE) AS percent
     FROM (SELECT unnest(CAST(from_json(?, '["VARCHAR"]') AS DATE[])) AS day)`,
      [JSON.stringify(asked.map(({ day }) => day))],
    )
    expect(found.map(({ percent }) => percent)).toEqual(asked.map(({ percent }) => percent))
    expect(asked.map(({ day }) => inCode(day) * 100)).toEqual(
      asked.map(({ percent }) => expect.closeTo(percent, 9) as number),
    )
    expect(await database.rows(`SELECT mart.${name}(DATE '1999-01-04') AS before_the_exchange`)).toEqual([
      { before_the_exchange: null },
    ])
  },
)

test('a sale of 2012 bears half of the tax, one of 2009 none', () => {
  expect(['2009-12-31', '2010-01-04', '2012-06-01', '2025-03-14'].map(sellTax)).toEqual([
    0, 0.001, 0.0005, 0.001,
  ])
})
