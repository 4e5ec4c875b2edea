import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadCalendar } from 'candlehouse-foundation/market/calendar'
import { describe, expect, test } from 'vitest'
import { audit, overrideBreaks, uncheckedRuns } from '../../src/audit/index.js'
import { readOverrides } from '../../src/audit/override-file.js'
import { Bucket } from '../../src/bucket/bucket.js'
import type { Database } from '../../src/duckdb/open.js'
import { loadBatch } from '../../src/load/batch.js'
import { bringToBucket } from '../../src/publish/bucket/bring.js'
import { withCatalogAsKnown } from '../../src/read/as-known/known-catalog.js'
import { writeReceipt } from '../../src/read/as-known/receipt.js'
import { tableHashes, verifyLake } from '../../src/read/index.js'
import { verifyBucket } from '../../src/read/verify-bucket.js'
import { openRun } from '../../src/warehouse/runs.js'
import { ACCESS, FakeBucket } from '../support/bucket.js'
import { temporaryFolder } from '../support/folder.js'
import { landWalks, loadWalks, openTestWarehouse } from '../support/landed.js'
import {
  ask,
  type Bar,
  candleWalk,
  evening,
  limitWalk,
  publicationsOf,
  publishTest,
  summaryWalk,
} from '../support/published.js'

const good = ['09:15:00', '27000', '27100', '26950', '27050', '1200', '32460000'] as const
const restated = ['09:15:00', '27000', '27200', '26950', '27050', '1300', '35165000'] as const
/** Its high is below its open. */
const broken = ['09:15:00', '27000', '26990', '26950', '26980', '1500', '40500000'] as const

interface Night {
  readonly warehouse: Database
  readonly home: string
  /** Loads a bar of HPG for each of these sessions, judges them by all rules, publishes. */
  run(bars: Readonly<Record<string, Bar>>): Promise<void>
  /** The same, with the finding of rule 1 as the rules leave it: all of them take longer than the rest. */
  runJudged(bars: Readonly<Record<string, Bar>>, receivedAt?: string): Promise<void>
  /** What readers see: trading date and volume. */
  seen(): Promise<string[]>
  /** The same of what is made of bars. */
  made(): Promise<string[]>
}

/** Findings of rule 1 about the bars of these sessions, in place of all former ones. */
async function findBreaks(warehouse: Database, days: readonly string[]): Promise<void> {
  const list = days.map((day) => `DATE '${day}'`).join(', ')
  await warehouse.run(`DELETE FROM recon.finding WHERE trading_date IN (${list});
    DELETE FROM recon.offender WHERE trading_date IN (${list});
    INSERT INTO recon.finding BY NAME SELECT DISTINCT 1 AS rule, 'market' AS subject, trading_date, 'error' AS severity,
      'break' AS state, 'market.candle' AS relations FROM market.candle WHERE high < open AND trading_date IN (${list})`)
  for (const relation of ['recon.finding', 'recon.offender'])
    await warehouse.run(`INSERT INTO ops.dirty_partition SELECT DISTINCT '${relation}', strftime(day, '%Y-%m')
      FROM (SELECT unnest([${list}]) AS day)`)
}

async function openNight(): Promise<Night> {
  const home = temporaryFolder()
  const warehouse = await openTestWarehouse(home)
  const load = async (
    bars: Readonly<Record<string, Bar>>,
    options: { receivedAt?: string } = {},
  ): Promise<void> => {
    const walks = Object.entries(bars).map(([day, bar]) => candleWalk('HPG', day, [bar]))
    await loadWalks(warehouse, home, walks, options)
  }
  const judge = async (days: string[]): Promise<void> => {
    const options = { home, runIdOf: () => 'test-run', calendar: loadCalendar() }
    await audit(warehouse, { runs: [], days, snapshots: [] }, options, evening())
  }
  return {
    warehouse,
    home,
    async run(bars) {
      await load(bars)
      await judge(Object.keys(bars))
      await publishTest(warehouse, home)
    },
    async runJudged(bars, receivedAt) {
      await load(bars, receivedAt === undefined ? {} : { receivedAt })
      await findBreaks(warehouse, Object.keys(bars))
      await publishTest(warehouse, home)
    },
    async seen() {
      const rows = await ask(
        home,
        "SELECT trading_date || ' ' || volume AS line FROM market.candle WHERE timeframe = '1m' ORDER BY 1",
      )
      return rows.map((row) => String(row.line))
    },
    async made() {
      const rows = await ask(
        home,
        "SELECT trading_date || ' ' || volume AS line FROM mart.intraday ORDER BY 1",
      )
      return rows.map((row) => String(row.line))
    },
  }
}

/** What a receipt says of rows that have arrived and that readers do not see. */
async function withheldWords(home: string): Promise<string[]> {
  const [sql, instant] = ['FROM market.candle', '2030-01-01T00:00:00Z']
  const file = join(temporaryFolder(), 'receipt.json')
  const { warnings } = await withCatalogAsKnown(
    home,
    [sql],
    instant,
    async (catalog) => await writeReceipt(catalog, file, { sql, instant }, evening()),
    {},
    evening(),
  )
  return warnings.filter((words) => words.includes('withholds'))
}

describe('a session that breaks a rule of severity error', () => {
  test('is not published, other sessions of its night are; stays in its last published version, through later nights and through the merge of its month; is published once it is repaired', async () => {
    const { run, runJudged, seen, made, home, warehouse } = await openNight()
    await run({ '2025-03-10': good, '2025-03-11': broken, '2025-03-13': good, '2025-03-14': good })
    const first = ['2025-03-10 1200', '2025-03-13 1200', '2025-03-14 1200']
    expect(await seen()).toEqual(first)
    expect(await made()).toEqual(first)
    expect(
      await ask(
        home,
        "SELECT rule, trading_date, state FROM recon.finding WHERE state = 'break' AND severity = 'error'",
      ),
    ).toEqual([{ rule: 1, trading_date: '2025-03-11', state: 'break' }])
    expect(await ask(home, 'SELECT relation, expected, actual FROM recon.offender WHERE rule = 1')).toEqual([
      { relation: 'market.candle', expected: 'low 26950, high 27000', actual: 'low 26950, high 26990' },
    ])

    // One that was never published, one that was, and one that is good by now.
    const later = '2025-07-01T12:00:00.000Z'
    await runJudged({ '2025-03-11': good, '2025-03-12': broken, '2025-03-14': broken }, later)
    expect(await withheldWords(home)).toEqual([
      'market.candle: 1 row read as published before, since a broken rule withholds what had arrived',
    ])
    const second = ['2025-03-10 1200', '2025-03-11 1200', '2025-03-13 1200', '2025-03-14 1200']
    expect(await seen()).toEqual(second)
    expect(await made()).toEqual(second)

    await runJudged({ '2025-03-11': broken, '2025-04-01': good })
    expect(Object.keys(await publicationsOf(home, 'market.candle'))).toEqual(['2025-03', '2025-04-01'])
    expect(await seen()).toEqual([...second, '2025-04-01 1200'])
    expect(await made()).toEqual([...second, '2025-04-01 1200'])

    await runJudged({ '2025-03-13': restated })
    expect(await seen()).toEqual([
      '2025-03-10 1200',
      '2025-03-11 1200',
      '2025-03-13 1300',
      '2025-03-14 1200',
      '2025-04-01 1200',
    ])
    await runJudged({ '2025-03-11': restated, '2025-03-12': good, '2025-03-14': restated })
    const last = [
      '2025-03-10 1200',
      '2025-03-11 1300',
      '2025-03-12 1200',
      '2025-03-13 1300',
      '2025-03-14 1300',
      '2025-04-01 1200',
    ]
    expect(await seen()).toEqual(last)
    expect(await made()).toEqual(last)
    expect(await warehouse.rows('FROM ops.dirty_partition')).toEqual([])
  })

  test('stays in its last published version if only the warehouse is lost, because the lake still has it; is absent if its file is lost too', async () => {
    const { runJudged, seen, home, warehouse } = await openNight()
    await runJudged({ '2025-03-13': good, '2025-03-14': good })
    await runJudged({ '2025-03-14': broken })
    // As after a replay beside a warehouse that cannot be read: rows and verdicts are back, the ledger of files is not.
    await warehouse.run('DELETE FROM ops.lake_file; DELETE FROM ops.publication')
    await warehouse.run(
      `INSERT INTO ops.dirty_partition VALUES ('market.candle', '2025-03-13'), ('market.candle', '2025-03-14')`,
    )
    await publishTest(warehouse, home)
    expect(await seen()).toEqual(['2025-03-13 1200', '2025-03-14 1200'])

    // Its published rows are lost, and its new rows break a rule.
    rmSync(join(home, 'lake', 'market', 'candle'), { recursive: true })
    await publishTest(warehouse, home)
    expect(await seen()).toEqual(['2025-03-13 1200'])
  })
})

describe('a run that was checked', () => {
  test('is checked again when it loads more', async () => {
    const { home, warehouse } = await openNight()
    const run = '20250630T120000000Z-0001'
    await openRun(warehouse, run, 'backfill', '2025-03-14', 0)
    const landed = await landWalks(
      home,
      ['2025-03-13', '2025-03-14'].map((day) => candleWalk('HPG', day, [good])),
      { run, tradingDate: '2025-03-14' },
    )
    const load = async (walks: typeof landed): Promise<void> => {
      await loadBatch(warehouse, home, 'ohlc', walks, loadCalendar(), { verify: true })
    }
    await load(landed.slice(0, 1))
    const options = { home, runIdOf: () => run, calendar: loadCalendar() }
    await audit(warehouse, { runs: [run], days: ['2025-03-13'], snapshots: [] }, options, evening())
    expect(await uncheckedRuns(warehouse, home)).toEqual([])
    await load(landed.slice(1))
    expect(await uncheckedRuns(warehouse, home)).toEqual([run])
  })
})

describe('a person who overrules a rule', () => {
  const words = { rule: 1, because: 'the broker says so' }

  test('has the session published despite the break, and the reason stored beside the raw pages, although a full disk tore the last line of what was accepted before', async () => {
    const { run, runJudged, seen, warehouse, home } = await openNight()
    await runJudged({ '2025-03-14': good }, '2025-06-30T11:00:00.000Z')
    // Nothing is broken: nothing is overridden.
    expect(await overrideBreaks(warehouse, home, words, evening())).toEqual([])
    await run({ '2025-03-13': broken, '2025-03-14': broken })
    expect(await seen()).toEqual(['2025-03-14 1200'])
    // The session is told once at an instant between what readers saw and what broke.
    expect(await ask(home, "SELECT volume FROM mart.candle_as_known_on('2025-06-30 11:30:00+00')")).toEqual([
      { volume: '1200' },
    ])

    mkdirSync(join(home, 'raw'), { recursive: true })
    writeFileSync(join(home, 'raw', 'accepted.ndjson'), '{"rule":1,"subj')
    expect(await overrideBreaks(warehouse, home, words, evening())).toHaveLength(2)
    await publishTest(warehouse, home)
    expect(await seen()).toEqual(['2025-03-13 1500', '2025-03-14 1500'])
    expect(readOverrides(home)).toHaveLength(2)
    const sessions = ['2025-03-13', '2025-03-14'].map((trading_date) => ({ trading_date }))
    expect(
      await ask(home, 'SELECT rule, trading_date, because FROM recon.acceptance ORDER BY trading_date'),
    ).toEqual(sessions.map((session) => ({ rule: 1, ...session, because: 'the broker says so' })))
    const accepted =
      'SELECT trading_date, state, accepted FROM recon.finding WHERE rule = 1 ORDER BY trading_date'
    const overridden = { state: 'break', accepted: 'the broker says so' }
    expect(await ask(home, accepted)).toEqual(sessions.map((session) => ({ ...session, ...overridden })))

    // Overridden are the rows that were shown, not later ones.
    const other = ['09:15:00', '27000', '26985', '26950', '26980', '1600', '43200000'] as const
    await run({ '2025-03-14': other })
    expect(await seen()).toEqual(['2025-03-13 1500', '2025-03-14 1500'])
    expect(await ask(home, accepted)).toEqual([
      { ...sessions[0], ...overridden },
      { ...sessions[1], state: 'break', accepted: null },
    ])
    await run({ '2025-03-14': broken })
    expect(await seen()).toEqual(['2025-03-13 1500', '2025-03-14 1500'])
    expect(await ask(home, accepted)).toEqual(sessions.map((session) => ({ ...session, ...overridden })))
  })
})

describe('a row of one symbol that breaks a rule', () => {
  const DAYS = ['2025-03-12', '2025-03-13', '2025-03-14'] as const
  const [, MIDDLE] = DAYS
  const { signal } = new AbortController()

  /** Limits and summaries of two symbols; bad: the high of HPG is 1 on the session in the middle. */
  async function load(
    warehouse: Database,
    home: string,
    days: readonly string[],
    isBad: boolean,
    isChecked = true,
  ): Promise<void> {
    const walks = days.flatMap((day) => {
      const summaries = summaryWalk(day, 'FPT', 'HPG')
      const data = (summaries.bodies[0] as { data: Record<string, string>[] }).data.map((row) =>
        isBad && day === MIDDLE && row.symbol === 'HPG' ? { ...row, high: '1' } : row,
      )
      return [limitWalk(day, 'FPT', 'HPG'), { ...summaries, bodies: [{ data }] }]
    })
    await loadWalks(warehouse, home, walks)
    const options = { home, runIdOf: () => 'test-run', calendar: loadCalendar() }
    const scope = { runs: [], days: [...days], snapshots: [] }
    if (isChecked) await audit(warehouse, scope, options, evening())
    await publishTest(warehouse, home)
  }

  async function opened(isBad: boolean): Promise<{ warehouse: Database; home: string }> {
    const home = temporaryFolder()
    const warehouse = await openTestWarehouse(home)
    // Where nothing is wrong, nothing is found.
    await load(warehouse, home, DAYS, isBad, isBad)
    return { warehouse, home }
  }

  const factors = (home: string, symbol: string) =>
    ask(home, `FROM mart.session_factor WHERE symbol = '${symbol}' ORDER BY trading_date`)
  const facts = async (home: string) =>
    Object.fromEntries(
      Object.entries(await tableHashes(home)).filter(
        ([name]) => /^(market|mart)\./.test(name) && name !== 'market.revision',
      ),
    )

  test('is absent with what is derived from it; later factors of the symbol count the session as not known, not as one without trades; other symbols, the bucket and the DuckLake are whole; once repaired, all is as if nothing had been', async () => {
    const { home: healthy } = await opened(false)
    const { warehouse, home } = await opened(true)
    const day = (relation: string, symbol: string) =>
      ask(
        home,
        `SELECT trading_date FROM ${relation} WHERE symbol = '${symbol}' AND trading_date = '${MIDDLE}'`,
      )
    for (const relation of ['market.daily_summary', 'mart.session_factor', 'mart.daily_factor']) {
      expect([relation, await day(relation, 'HPG')]).toEqual([relation, []])
      expect([relation, await day(relation, 'FPT')]).toEqual([relation, [{ trading_date: MIDDLE }]])
    }
    expect(await day("(FROM market.candle WHERE timeframe = '1d')", 'HPG')).toEqual([])
    expect(await day('market.price_limit', 'HPG')).toHaveLength(1)
    expect(await factors(home, 'FPT')).toEqual(await factors(healthy, 'FPT'))
    const counted = 'SELECT sessions_20, zero_trade_days_20 FROM mart.session_factor'
    const last = `${counted} WHERE symbol = 'HPG' AND trading_date = '2025-03-14'`
    expect(await ask(home, last)).toEqual([{ sessions_20: '2', zero_trade_days_20: '0' }])
    expect(await ask(healthy, last)).toEqual([{ sessions_20: '3', zero_trade_days_20: '0' }])

    expect((await verifyLake(join(home, 'lake'), { onTable: () => undefined, signal })).findings).toEqual([])
    const bucket = new Bucket(ACCESS, signal, new FakeBucket().through(evening()))
    await bringToBucket(bucket, home, 7, evening())
    expect(
      (await verifyBucket(bucket, temporaryFolder(), { onTable: () => undefined, signal })).findings,
    ).toEqual([])

    // What stays withheld is not a change: nothing is computed again.
    expect(await warehouse.rows('FROM ops.dirty_partition')).toEqual([])
    const publication = await ask(home, 'SELECT max(publication_id) AS id FROM ops.publication')
    await publishTest(warehouse, home)
    expect(await ask(home, 'SELECT max(publication_id) AS id FROM ops.publication')).toEqual(publication)

    await load(warehouse, home, [MIDDLE], false)
    expect(await facts(home)).toEqual(await facts(healthy))
    expect(await warehouse.rows('FROM ops.dirty_partition')).toEqual([])
  })
})
