import { expect, test } from 'vitest'
import type { Dataset, Row } from '../standin/index.js'
import { LONG } from '../support/long.js'
import { cli } from '../support/program.js'
import { hashes } from './support/hashes.js'
import {
  expectCode,
  FIRST,
  heldHashes,
  LAST,
  missingOf,
  night,
  nightForEach,
  rowsOf,
  service,
  unpublishedAfterEve,
} from './support/nights.js'

/** Noise in a field of one record of the last session, as the service's own arithmetic leaves it. */
const CASES = [
  {
    endpoint: 'securitiesSummary',
    field: 'priceChange',
    noise: 18.100000000000136,
    relation: 'market.daily_summary',
    key: 'symbol',
    of: 'VCB',
    column: 'price_change',
  },
  {
    endpoint: 'indexSummary',
    field: 'indexChange',
    noise: 1.4210854715202004e-14,
    relation: 'market.index_summary',
    key: 'index_code',
    of: 'VN30',
    column: 'index_change',
  },
] as const

// In short: test/load/quarantine.test.ts.
test.runIf(LONG)(
  'binary noise in a field of a record costs that field of it: each is named, exit 4; the next night is equal to an undisturbed one',
  async () => {
    const standIn = await service()
    const cwd = await unpublishedAfterEve()
    const day = LAST.replaceAll('-', '/')
    const noiseOf = (dataset: Dataset, row: Row, index: string | undefined): Row => {
      const noisy = CASES.find(
        ({ endpoint, key, of }) => endpoint === dataset && (key === 'symbol' ? row.symbol : index) === of,
      )
      return noisy && row.tradingDate === day ? { ...row, [noisy.field]: noisy.noise } : row
    }
    standIn.setOptions({ mutateRow: (dataset, row, { query }) => noiseOf(dataset, row, query.index) })
    const ran = await night(standIn, cwd)
    expectCode(ran, 4)
    const named = ({ endpoint, field }: (typeof CASES)[number]): [string, unknown] => [
      endpoint,
      [expect.stringMatching(new RegExp(`${LAST}: field ${field} has binary noise in 1 of \\d+ records?$`))],
    ]
    expect(missingOf(ran)).toEqual(Object.fromEntries(CASES.map(named)))
    const quarantined = await rowsOf<{ reason: string; payload: string }>(
      cwd,
      'SELECT reason, payload FROM ops.quarantine',
    )
    expect(quarantined).toHaveLength(CASES.length)
    for (const { field, noise, relation, key, of, column } of CASES) {
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
      const reason = `${field}: '${noise}' has binary noise; the record is loaded without the field`
      const line = quarantined.find((each) => each.reason === reason)
      expect(line?.payload, reason).toContain(`"${field}":${noise}`)
    }
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
