import { describe, expect, test } from 'vitest'
import type { Database } from '../../src/duckdb/open.js'
import { identifier } from '../../src/duckdb/sqlfile.js'
import { ACCOUNT_CASES, loadSnapshots, readAccountCase, type SnapshotCase } from '../cases/snapshots.js'
import { seeded } from '../e2e/support/seeded.js'
import { DAYS, EvidenceWorld } from '../load/evidence-world.js'
import type { StandInMarket } from '../standin/index.js'
import { temporaryFolder } from '../support/folder.js'
import { emptyWarehouse } from '../support/memory.js'
import { disturbed, type Rates } from './disturbed-records.js'
import { expectAnswers, IS_WHOLE } from './expected-answers.js'
import { type Answer, answerOf, shown } from './world.js'

/** Columns that say when and by which request a row came. */
const OF_REQUESTS = [
  'request_id',
  'observed_at',
  'loaded_at',
  'received_at',
  'snapshot_id',
  'run_id',
  'source',
]

/** Relations that loading fills, but for requests: their files and instants are the run's. */
async function loadedTables(database: Database): Promise<string[]> {
  const tables = await database.rows<{ name: string }>(
    `SELECT schema_name || '.' || table_name AS name FROM duckdb_tables()
     WHERE schema_name IN ('market', 'account') OR schema_name = 'ops' AND table_name IN ('coverage', 'quarantine', 'omission')
     ORDER BY 1`,
  )
  return tables.map(({ name }) => name)
}

async function loadedAnswers(database: Database): Promise<Record<string, Answer>> {
  const answers: Record<string, Answer> = {}
  for (const relation of await loadedTables(database)) {
    const columns = await database.rows<{ column_name: string }>(`DESCRIBE FROM ${relation}`)
    const kept = columns.map(({ column_name }) => column_name).filter((name) => !OF_REQUESTS.includes(name))
    const [count] = await database.rows<{ n: bigint }>(`SELECT count(*) AS n FROM ${relation}`)
    if (count && count.n > 0n)
      answers[relation] = await answerOf(
        database,
        `(SELECT ${kept.map((name) => comparedValue(relation, name)).join(', ')} FROM ${relation})`,
      )
  }
  return answers
}

/** A row that is gone stands in `old` whole, with its request. */
const comparedValue = (relation: string, column: string): string =>
  relation === 'market.revision' && column === 'old'
    ? `CASE WHEN "column" <> '*' THEN old END AS old`
    : identifier(column)

const RATES: Rates = { wrong: 0.04, gone: 0.02, twice: 0.02 }
const RECORDS = ['securities', 'summaries', 'indexSummaries', 'masterdata', 'minutes'] as const

function disturbMarket(
  truth: StandInMarket,
  random: () => number,
): Pick<StandInMarket, (typeof RECORDS)[number]> {
  const { securities, summaries, indexSummaries, masterdata, minutes } = truth
  return {
    securities: disturbed(securities, { ...RATES, twice: 0 }, random),
    summaries: disturbed(summaries, RATES, random),
    indexSummaries: disturbed(indexSummaries, RATES, random),
    masterdata: disturbed(masterdata, RATES, random),
    minutes: disturbed(minutes, { wrong: 0.002, gone: 0.001, twice: 0.001 }, random),
  }
}

/** README.md says how these files are written. */
describe('records that are wrong, gone and repeated are loaded as before', () => {
  test('on four evenings of a market, and on one that is whole again', async () => {
    const random = seeded(20_250_314)
    const world = await EvidenceWorld.open({ asksIndexes: true, asksAllBars: true })
    const truth = { ...world.market }
    const answers: Record<string, unknown> = {}
    // In short the first two: the second one has all that an answer can do to a stored row.
    for (const day of IS_WHOLE ? DAYS : DAYS.slice(0, 2)) {
      Object.assign(world.market, disturbMarket(truth, random))
      await world.night(day)
      answers[day] = await loadedAnswers(world.warehouse)
    }
    if (IS_WHOLE) {
      Object.assign(world.market, truth)
      await world.night(DAYS[3], undefined, 4)
      answers.whole = await loadedAnswers(world.warehouse)
    }
    await expectAnswers(answers, 'market-disturbed.json', (name) => name in answers)
  })

  // In short: the cases themselves, test/cases/account.test.ts.
  test.runIf(IS_WHOLE)('in the snapshots of all cases', async () => {
    const answers: Record<string, unknown> = {}
    for (const name of ACCOUNT_CASES)
      answers[name] = await answersOf(readAccountCase<SnapshotCase>(name, 'given.json'), seeded(seedOf(name)))
    await expect(shown(answers)).toMatchFileSnapshot('answers/accounts-disturbed.json')
  })
})

/** A new case changes nothing of the others. */
const seedOf = (name: string): number =>
  [...name].reduce((seed, char) => (seed * 31 + char.charCodeAt(0)) % 2 ** 31, 7)

async function answersOf(given: SnapshotCase, random: () => number): Promise<Record<string, Answer>> {
  const snapshots = given.snapshots.map(({ answers, ...options }) => ({
    ...options,
    answers: answers.map((answer) => ({
      ...answer,
      bodies: answer.bodies.map((body) => disturbBody(body, random)),
    })),
  }))
  const warehouse = await emptyWarehouse()
  await loadSnapshots(warehouse, temporaryFolder(), { ...given, snapshots })
  return await loadedAnswers(warehouse)
}

const ACCOUNT_RATES: Rates = { wrong: 0.2, gone: 0.03, twice: 0.03 }

/** A body that is no list, or a list in `data`, stays what it is: its records are disturbed. */
function disturbBody(body: unknown, random: () => number): unknown {
  if (typeof body === 'string') return body
  if (Array.isArray(body)) return disturbed(body as object[], ACCOUNT_RATES, random)
  if (typeof body !== 'object' || body === null) return body
  const data = (body as { data?: unknown }).data
  if (data !== undefined) return { ...body, data: disturbBody(data, random) }
  return disturbed([body], { ...ACCOUNT_RATES, gone: 0, twice: 0 }, random)[0]
}
