import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Dataset, Row, StandIn } from '../standin/index.js'
import { LONG } from '../support/long.js'
import { cli, type Ran } from '../support/program.js'
import { ask } from '../support/published.js'
import {
  type ColumnFault,
  columnFaults,
  couldBeTrue,
  mutationOf,
  nameOf,
  publishedMarket,
  wrongIn,
} from './support/column-faults.js'
import { hashes } from './support/hashes.js'
import {
  expectCode,
  heldHashes,
  LAST,
  missingOf,
  night,
  nightForEach,
  service,
  smallMarket,
  unpublishedAfterEve,
} from './support/nights.js'
import { seeded } from './support/seeded.js'

const SEED = Number(process.env.SOAK_SEED ?? 20_250_314)
const DRAWN = 100

const random = seeded(SEED)
/** Fields of which a zero cannot be true: prices and volumes of trades, limits, totals of an index. */
const NEVER_ZERO: Readonly<Record<string, string>> = {
  securitiesSummary: 'open high low close totalMatch totalMatchValue',
  indexSummary: 'totalTrade totalTradeValue totalMatch totalMatchValue indexValue',
  masterdata: 'ceiling floor refPrice',
  ohlc: 'open high low close volume value',
}
const isNeverZero = ({ endpoint, field }: ColumnFault): boolean =>
  NEVER_ZERO[endpoint]?.split(' ').includes(field) ?? false

/** Every field of every endpoint, in every manner and both extents; a zero only where it cannot be true. */
const all = columnFaults(smallMarket()).filter(
  (fault) => !couldBeTrue(fault) && (fault.fault !== 'zero' || isNeverZero(fault)),
)
const faultOf = (
  endpoint: ColumnFault['endpoint'],
  field: string,
  fault: ColumnFault['fault'] = 'renamed',
  extent: ColumnFault['extent'] = 'every record',
): ColumnFault => ({ endpoint, field, fault, extent })

/** Those that were seen. */
const SEEN: readonly ColumnFault[] = [
  faultOf('securitiesSummary', 'totalMatch'),
  faultOf('ohlc', 'volume'),
  faultOf('masterdata', 'refPrice', 'null', 'every other record'),
]
/** One more, then drawn ones. */
const OTHERS: readonly ColumnFault[] = [
  faultOf('securitiesSummary', 'close', 'zero'),
  ...Array.from({ length: DRAWN }, () => all[Math.floor(random() * all.length)]).flatMap(
    (fault) => fault ?? [],
  ),
]

const marketOf = async (cwd: string) => publishedMarket((sql) => ask(join(cwd, 'data'), sql))

/** A night whose answers lack the fields: what was stored stays, each field is named, exit 4. */
async function nightThatLacks(
  faults: readonly ColumnFault[],
): Promise<{ cwd: string; ran: Ran; standIn: StandIn }> {
  const standIn = await service()
  const cwd = await unpublishedAfterEve()
  const mutations = faults.map(mutationOf)
  standIn.setOptions({
    mutateRow: (dataset: Dataset, row: Row) =>
      mutations.reduce((mutated, mutate) => mutate(dataset, mutated), row),
  })
  const ran = await night(standIn, cwd)
  expectCode(ran, 4)
  const missing = Object.values(missingOf(ran)).flat().join('\n')
  for (const { field } of faults) expect(missing).toMatch(new RegExp(`\\b${field}\\b`))
  expect(wrongIn(await marketOf(cwd), await marketOf(await nightForEach()))).toEqual([])
  return { cwd, ran, standIn }
}

async function expectHealed(standIn: StandIn, cwd: string): Promise<void> {
  standIn.setOptions({ mutateRow: undefined })
  expectCode(await night(standIn, cwd), 0)
  expect(await stored(cwd)).toEqual(await stored(await nightForEach()))
}

/** The same decisions follow from the raw pages alone. */
async function expectReplay(cwd: string): Promise<void> {
  const before = await hashes(cwd)
  expectCode(await cli(['replay'], { cwd }), 0)
  expectCode(await cli(['publish'], { cwd }), 0)
  expect(await hashes(cwd)).toEqual(before)
}

// In short: the night below, and test/load/lost-fields.test.ts, which draws more without nights.
test.runIf(LONG).each(OTHERS.map((fault) => [nameOf(fault), fault] as const))(
  '%s: what was stored stays, each field is named, exit 4; the next night is equal to an undisturbed one',
  async (_, fault) => {
    const { cwd, standIn } = await nightThatLacks([fault])
    await expectHealed(standIn, cwd)
    await expectReplay(cwd)
  },
)

test(`${SEEN.map(nameOf).join('; ')}: what was stored stays, each field is named, exit 4, the drift is shown, a replay ends in what the night stored, and the next night is equal to an undisturbed one`, async () => {
  const { cwd, ran, standIn } = await nightThatLacks(SEEN)
  const line = 'securitiesSummary: unknown field total_match_x; without the field totalMatch'
  expect(ran.json<{ notes: string[] }>().notes).toContain(line)
  const status = await cli(['status', '--json'], { cwd })
  expect(status.json<{ drift: unknown }>().drift).toEqual(
    expect.arrayContaining([
      { dataset: 'ohlc', unknown: ['volume_x'], absent: ['volume'] },
      { dataset: 'securitiesSummary', unknown: ['total_match_x'], absent: ['totalMatch'] },
    ]),
  )
  expect((await cli(['status'], { cwd })).stdout).toContain(line)
  const [gap] = await ask(
    join(cwd, 'data'),
    `SELECT reason, reason_code FROM ops.coverage WHERE dataset = 'securitiesSummary' AND window_from = '${LAST}'`,
  )
  expect(gap).toEqual({
    reason: 'field totalMatch is missing in 12 of 12 records (unknown field total_match_x came instead)',
    reason_code: 'field_lost',
  })
  await expectReplay(cwd)
  await expectHealed(standIn, cwd)
})

/**
 * Hashes of the market; of coverage without candles of symbols that did not trade: a night that does not know the volume
 * requests them too.
 */
async function stored(cwd: string): Promise<unknown> {
  const { 'ops.coverage': _, ...market } = await heldHashes(cwd)
  const coverage = await ask(
    join(cwd, 'data'),
    `SELECT dataset, key, timeframe, window_from, state, reason, reason_code FROM ops.coverage
     WHERE NOT (dataset = 'ohlc' AND state = 'empty') ORDER BY ALL`,
  )
  return { market, coverage }
}
