import { expect, test } from 'vitest'
import type { Conclusion } from '../../../src/night/conclusion.js'
import type { StandInOptions } from '../../standin/index.js'
import { temporaryFolder } from '../../support/folder.js'
import { LONG } from '../../support/long.js'
import { cli, type Ran } from '../../support/program.js'
import {
  afterFirstNight,
  DAYS,
  marketHashes,
  marketService,
  nightOf,
  undisturbedNights,
} from '../support/contradictions.js'
import { expectCode, rowsOf } from '../support/nights.js'

const [, TWO, , FOUR] = DAYS

/** On the second session the high of FPT is 1, and the floor and the ceiling of VCB have changed places. */
const bad: StandInOptions['mutateRow'] = (dataset, row) => {
  if (row.tradingDate !== TWO.replaceAll('-', '/')) return row
  if (dataset === 'securitiesSummary' && row.symbol === 'FPT') return { ...row, high: '1' } as typeof row
  if (dataset === 'masterdata' && row.symbol === 'VCB')
    return { ...row, ceiling: row.floor, floor: row.ceiling } as typeof row
  return row
}

interface Night {
  conclusion: Conclusion
  checks: { withheld: { relation: string; tradingDate: string; keys: string[] | null }[] }
}

const withheldBy = (ran: Ran): unknown[] =>
  ran
    .json<Night>()
    .checks.withheld.filter(({ relation }) => relation !== 'market.candle')
    .map(({ relation, tradingDate, keys }) => [relation, tradingDate, keys])

const WITHHELD = [
  ['market.daily_summary', TWO, ['FPT']],
  ['market.price_limit', TWO, ['VCB']],
]

test('rows that are withheld count against every night until the service corrects them, which a night then fetches by itself, also once their session is none of its own; limits that contradict themselves cost the limits, not the summary', async () => {
  const cwd = LONG ? await afterFirstNight() : temporaryFolder()
  const standIn = await marketService({ mutateRow: bad })
  const first = await nightOf(standIn, cwd, TWO)
  expectCode(first, 4)
  expect(withheldBy(first)).toEqual(WITHHELD)
  const closes = `select symbol from market.daily_summary where trading_date = '${TWO}' and symbol in ('FPT', 'VCB')`
  expect(await rowsOf(cwd, closes)).toEqual([{ symbol: 'VCB' }])

  // A night's sessions are the third and the fourth. In short a publication: it counts them in the same way.
  const later = LONG ? await nightOf(standIn, cwd, FOUR) : await cli(['publish', '--json'], { cwd })
  expectCode(later, 4)
  expect(withheldBy(later)).toEqual(WITHHELD)
  if (LONG) expect(later.json<Night>().conclusion).toMatchObject({ complete: true, trusted: false })

  standIn.setOptions({ mutateRow: undefined })
  const healthy = await nightOf(standIn, cwd, FOUR)
  expectCode(healthy, 0)
  expect(healthy.json<Night>().conclusion).toMatchObject({ complete: true, trusted: true })
  // That corrected rows are those of an undisturbed home, in short: evidence.test.ts.
  if (!LONG) return
  // Revisions tell what was there. Lists are those of an evening: no night was on the third.
  const { 'market.revision': _, 'market.security_daily': __, ...rows } = await marketHashes(cwd)
  expect(await undisturbedNights(4)).toMatchObject(rows)
})
