import { describe, expect, test } from 'vitest'
import { importedOf } from '../../src/import/index.js'
import { temporaryFolder } from '../support/folder.js'
import { fileOf, importFile, parquetOf, withHistory } from '../support/imported.js'
import { openTestWarehouse } from '../support/landed.js'

const HEAD = 'symbol,ex_date,kind,ratio,amount,price,is_withdrawn\n'

async function opened() {
  const home = temporaryFolder()
  const warehouse = await openTestWarehouse(home)
  return {
    declare: (rows: string) => importFile(warehouse, home, 'corporateActions', fileOf(HEAD + rows)),
    declareFile: (path: string) => importFile(warehouse, home, 'corporateActions', path),
    actions: async () =>
      (
        await warehouse.rows<{ line: string }>(
          `SELECT concat_ws(' ', symbol, ex_date, kind, ratio, printf('%g', amount::DOUBLE), printf('%g', price::DOUBLE),
             CASE WHEN is_withdrawn THEN 'withdrawn' END) AS line FROM market.corporate_action ORDER BY ALL`,
        )
      ).map(({ line }) => line),
    reasons: async () =>
      (
        await warehouse.rows<{ reason: string }>(
          `SELECT reason FROM ops.quarantine ORDER BY CAST(regexp_extract(reason, 'line (\\d+)', 1) AS INTEGER)`,
        )
      ).map(({ reason }) => reason),
    rows: warehouse.rows.bind(warehouse),
  }
}

describe('declared corporate actions', () => {
  test('of every kind are read, and a date ahead is no fault', async () => {
    const { declare, actions } = await opened()
    const done = await declare(`FPT,2025-06-02,cash_dividend,,1500,,
FPT,2025-06-02,Stock Dividend,0.1,,,
HPG,03/06/2025,bonus,"0.5",,,false
MWG,2022-06-16,rights,0.25,,"12,000",
VNM,2026-03-02,split,2,,,
SHB,2025-06-05,consolidation,0.1,,,
`)
    expect(done).toMatchObject({ rows: 6, changed: 6, rejected: 0 })
    expect(await actions()).toEqual([
      'FPT 2025-06-02 cash_dividend 1500',
      'FPT 2025-06-02 stock_dividend 0.1',
      'HPG 2025-06-03 bonus 0.5',
      'MWG 2022-06-16 rights 0.25 12000',
      'SHB 2025-06-05 consolidation 0.1',
      'VNM 2026-03-02 split 2.0',
    ])
  })

  test('that cannot be believed are named by line and column, with what to write', async () => {
    const { declare, actions, reasons } = await opened()
    expect(
      await declare(`FPT,2025-06-02,cash_dividend,,1500,,
,2025-06-02,bonus,0.1,,,
FPT,2025-06-31,bonus,0.1,,,
FPT,2025-06-03,merger,0.1,1500,9000,
FPT,2025-06-04,bonus,10:1,,,
FPT,2025-06-05,bonus,10%,,,
FPT,2025-06-06,cash_dividend,0.1,,,
FPT,2025-06-09,rights,0.5,,,
FPT,2025-06-10,split,0.5,,,
FPT,2025-06-11,consolidation,10,,,
FPT,2025-06-12,split,2,500,,
FPT,2025-06-13,bonus,0.1,,9000,
FPT,2025-06-16,cash_dividend,,-5,,perhaps
`),
    ).toMatchObject({ rows: 13, changed: 1, rejected: 12 })
    expect(await actions()).toEqual(['FPT 2025-06-02 cash_dividend 1500'])
    expect(await reasons()).toEqual([
      'line 3: symbol is missing',
      "line 4: ex_date: '2025-06-31' is not a date: write it like 2025-03-14",
      "line 5: kind: 'merger' is not known: write cash_dividend, stock_dividend, bonus, rights, split or consolidation",
      "line 6: ratio: '10:1' is not a plain number: write 0.1 for 10 %, or for one new share per ten held",
      "line 7: ratio: '10%' is not a plain number: write 0.1 for 10 %, or for one new share per ten held",
      'line 8: amount is missing: a cash_dividend needs VND per share, like 1500; ratio: leave it empty for cash_dividend, and write VND per share into amount',
      'line 9: price is missing: write what a new share costs, VND',
      'line 10: ratio: 0.5 is not above one and up to 1000: write shares after per share before, 2 for two from one',
      'line 11: ratio: 10 is not from 0.001 to below one: write shares after per share before, 0.1 for one from ten',
      'line 12: amount: leave it empty for split',
      'line 13: price: leave it empty for bonus',
      "line 14: is_withdrawn: 'perhaps' is not a flag: write true or false",
    ])
  })

  test('that would be rejected are named before anything is written', async () => {
    const rows = 'FPT,2025-06-02,bonus,0.1,,,\nFPT,2025-06-03,bonus,1:10,,,\nFPT,2025-06-04,bonus,,,,true\n'
    const rejected = await withHistory('corporateActions', fileOf(HEAD + rows), {}, (history) =>
      history.rejected(),
    )
    expect(rejected).toEqual([
      "line 3: ratio: '1:10' is not a plain number: write 0.1 for 10 %, or for one new share per ten held",
    ])
  })

  test('are corrected and withdrawn by a later file, with their former values kept; the rest stays', async () => {
    const { declare, actions, rows } = await opened()
    await declare(
      'FPT,2025-06-02,cash_dividend,,1500,,\nHPG,2025-06-03,bonus,0.5,,,\nVIC,2025-06-03,split,2,,,\n',
    )
    expect(
      await declare(
        'FPT,2025-06-02,cash_dividend,,2000,,\nVIC,2025-06-03,split,,,,true\nHPG,2025-06-03,bonus,0.50,,,\n',
      ),
    ).toMatchObject({ rows: 3, changed: 2, rejected: 0 })
    expect(await actions()).toEqual([
      'FPT 2025-06-02 cash_dividend 2000',
      'HPG 2025-06-03 bonus 0.5',
      'VIC 2025-06-03 split withdrawn',
    ])
    expect(await rows(`SELECT "column", old, new FROM market.revision ORDER BY 1`)).toEqual([
      { column: 'amount', old: '1500.000000', new: '2000.000000' },
      { column: 'is_withdrawn', old: 'false', new: 'true' },
      { column: 'ratio', old: '2.0', new: null },
    ])
  })

  test('of one key that contradict each other are not believed', async () => {
    const { declare, actions } = await opened()
    expect(
      await declare(
        'FPT,2025-06-02,bonus,0.1,,,\nFPT,2025-06-02,bonus,0.2,,,\nHPG,2025-06-02,bonus,0.1,,,\nHPG,2025-06-02,bonus,0.10,,,\n',
      ),
    ).toMatchObject({ changed: 1, rejected: 2 })
    expect(await actions()).toEqual(['HPG 2025-06-02 bonus 0.1'])
  })

  test('may come from Parquet, with their own types', async () => {
    const { declareFile, actions } = await opened()
    const path = await parquetOf(
      `SELECT 'FPT' AS symbol, DATE '2025-06-02' AS ex_date, 'bonus' AS kind, 0.1::DOUBLE AS ratio, NULL::DECIMAL(18,2) AS amount`,
    )
    expect(await declareFile(path)).toMatchObject({ changed: 1, rejected: 0 })
    expect(await actions()).toEqual(['FPT 2025-06-02 bonus 0.1'])
  })

  test('need a symbol, a day, a kind and a figure; names of the dataset and the relation do', async () => {
    for (const name of ['corporate_actions', 'corporateActions', 'market.corporate_action'])
      expect(importedOf(name)).toBe('corporateActions')
    const look = async (head: string) =>
      await withHistory('corporateActions', fileOf(`${head}\nFPT,2025-06-02,0.1\n`), {}, () => undefined)
    await expect(look('symbol,ex_date,ratio')).rejects.toThrow(/no column for kind; its columns are/)
    await expect(look('symbol,trading_date,kind')).rejects.toThrow(
      /no column for ex_date, any of ratio, amount, price, isWithdrawn/,
    )
  })
})
