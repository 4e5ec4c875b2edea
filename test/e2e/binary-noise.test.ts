import { expect, test } from 'vitest'
import type { Dataset, Row } from '../standin/index.js'
import { cli } from '../support/program.js'
import { hashes } from './support/hashes.js'
import {
  afterEve,
  expectCode,
  FIRST,
  heldHashes,
  LAST,
  missingOf,
  night,
  nightForEach,
  rowsOf,
  service,
} from './support/nights.js'

/** Noise in a field of one record of the last session, as the service's own arithmetic leaves it. */
const CASES = [
  {
    ...{ endpoint: 'securitiesSummary', field: 'priceChange', noise: 18.100000000000136 },
    ...{ relation: 'market.daily_summary', key: 'symbol', of: 'VCB', column: 'price_change' },
  },
  {
    ...{ endpoint: 'indexSummary', field: 'indexChange', noise: 1.4210854715202004e-14 },
    ...{ relation: 'market.index_summary', key: 'index_code', of: 'VN30', column: 'index_change' },
  },
] as const

test.each(CASES)(
  'binary noise in $field costs that field of $of: it is named, exit 4; the next night is equal to an undisturbed one',
  async ({ endpoint, field, noise, relation, key, of, column }) => {
    const standIn = await service()
    const cwd = await afterEve()
    const isOfRecord = (row: Row, query: Readonly<Record<string, string>>): boolean =>
      key === 'symbol' ? row.symbol === of : query.index === of
    standIn.setOptions({
      mutateRow: (dataset: Dataset, row: Row, { query }) =>
        dataset === endpoint && row.tradingDate === LAST.replaceAll('-', '/') && isOfRecord(row, query)
          ? { ...row, [field]: noise }
          : row,
    })
    const ran = await night(standIn, cwd)
    expectCode(ran, 4)
    expect(missingOf(ran)).toEqual({
      [endpoint]: [
        expect.stringMatching(new RegExp(`${LAST}: field ${field} has binary noise in 1 of \\d+ records?$`)),
      ],
    })
    expect(
      await rowsOf(
        cwd,
        `SELECT CAST(trading_date AS VARCHAR) AS day, ${column} IS NULL AS is_null FROM ${relation}
         WHERE ${key} = '${of}' ORDER BY day`,
      ),
    ).toEqual([
      { day: FIRST, is_null: false },
      { day: LAST, is_null: true },
    ])
    const [line] = await rowsOf<{ reason: string; payload: string }>(
      cwd,
      'SELECT reason, payload FROM ops.quarantine',
    )
    expect(line?.reason).toBe(`${field}: '${noise}' has binary noise; the record is loaded without the field`)
    expect(line?.payload).toContain(`"${field}":${noise}`)
    expect(ran.json<{ conclusion: unknown }>().conclusion).toMatchObject({ complete: false })
    // The same decisions follow from the raw pages alone.
    const before = await hashes(cwd)
    expectCode(await cli(['replay'], { cwd }), 0)
    expectCode(await cli(['publish'], { cwd }), 0)
    expect(await hashes(cwd)).toEqual(before)
    standIn.setOptions({ mutateRow: undefined })
    expectCode(await night(standIn, cwd), 0)
    expect(await heldHashes(cwd)).toEqual(await heldHashes(await nightForEach()))
  },
)
