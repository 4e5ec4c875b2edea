import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { audit, overrideBreaks, uncheckedRuns } from '../../src/audit/index.js'
import { readOverrides } from '../../src/audit/overrides.js'
import type { Database } from '../../src/duckdb/open.js'
import { loadBatch } from '../../src/load/batch.js'
import { loadCalendar } from '../../src/market/calendar.js'
import { openRun } from '../../src/warehouse/runs.js'
import { temporaryFolder } from '../support/folder.js'
import { landWalks, loadWalks, openTestWarehouse } from '../support/landed.js'
import { ask, type Bar, candleWalk, evening, publicationsOf, publishTest } from '../support/published.js'

const good = ['09:15:00', '27000', '27100', '26950', '27050', '1200', '32460000'] as const
const restated = ['09:15:00', '27000', '27200', '26950', '27050', '1300', '35165000'] as const
/** Its high is below its open. */
const broken = ['09:15:00', '27000', '26990', '26950', '26980', '1500', '40500000'] as const

interface Night {
  readonly warehouse: Database
  readonly home: string
  /** Loads one bar of HPG, judges its session, publishes. */
  run(day: string, bar: Bar): Promise<void>
  /** What readers see: trading date and volume. */
  seen(): Promise<string[]>
  /** The same of what is made of bars. */
  made(): Promise<string[]>
}

async function openNight(): Promise<Night> {
  const home = temporaryFolder()
  const warehouse = await openTestWarehouse(home)
  const judge = async (day: string): Promise<void> => {
    const options = { home, runIdOf: () => 'test-run', calendar: loadCalendar() }
    await audit(warehouse, { runs: [], days: [day], snapshots: [] }, options, evening())
  }
  return {
    warehouse,
    home,
    async run(day, bar) {
      await loadWalks(warehouse, home, [candleWalk('HPG', day, [bar])])
      await judge(day)
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

describe('a session that breaks a rule of severity error', () => {
  test('is not published, other sessions of its night are; stays in its last published version; is published once it is repaired', async () => {
    const { run, seen, made, home, warehouse } = await openNight()
    await run('2025-03-13', good)
    await run('2025-03-14', broken)
    expect(await seen()).toEqual(['2025-03-13 1200'])
    expect(await made()).toEqual(['2025-03-13 1200'])
    expect(
      await ask(
        home,
        "SELECT rule, trading_date, state FROM recon.finding WHERE state = 'break' AND severity = 'error'",
      ),
    ).toEqual([{ rule: 1, trading_date: '2025-03-14', state: 'break' }])
    expect(await ask(home, 'SELECT relation, expected, actual FROM recon.offender WHERE rule = 1')).toEqual([
      { relation: 'market.candle', expected: 'low 26950, high 27000', actual: 'low 26950, high 26990' },
    ])

    await run('2025-03-14', good)
    await run('2025-03-14', broken)
    expect(await seen()).toEqual(['2025-03-13 1200', '2025-03-14 1200'])
    expect(await made()).toEqual(['2025-03-13 1200', '2025-03-14 1200'])

    await run('2025-03-14', restated)
    expect(await seen()).toEqual(['2025-03-13 1200', '2025-03-14 1300'])
    expect(await warehouse.rows('FROM ops.dirty_partition')).toEqual([])
  })

  test('stays withheld through later nights and through the merge of its month; absent from its file if it was never published', async () => {
    const { run, seen, home } = await openNight()
    await run('2025-03-13', good)
    await run('2025-03-14', good)
    await run('2025-03-12', broken)
    await run('2025-03-14', broken)
    await run('2025-04-01', good)
    expect(Object.keys(await publicationsOf(home, 'market.candle'))).toEqual(['2025-03', '2025-04-01'])
    expect(await seen()).toEqual(['2025-03-13 1200', '2025-03-14 1200', '2025-04-01 1200'])
    await run('2025-03-13', restated)
    expect(await seen()).toEqual(['2025-03-13 1300', '2025-03-14 1200', '2025-04-01 1200'])
    await run('2025-03-14', restated)
    expect(await seen()).toEqual(['2025-03-13 1300', '2025-03-14 1300', '2025-04-01 1200'])
    await run('2025-03-12', good)
    expect(await seen()).toEqual(['2025-03-12 1200', '2025-03-13 1300', '2025-03-14 1300', '2025-04-01 1200'])
  })

  test('stays in its last published version if only the warehouse is lost, because the lake still has it; is absent if its file is lost too', async () => {
    const { run, seen, home, warehouse } = await openNight()
    await run('2025-03-13', good)
    await run('2025-03-14', good)
    await run('2025-03-14', broken)
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

  test('is told once at an instant between what readers saw and what broke', async () => {
    const { run, home, warehouse } = await openNight()
    await loadWalks(warehouse, home, [candleWalk('HPG', '2025-03-14', [good])], {
      receivedAt: '2025-06-30T11:00:00.000Z',
    })
    await publishTest(warehouse, home)
    await run('2025-03-14', broken)
    expect(await ask(home, "SELECT volume FROM mart.candle_as_known_on('2025-06-30 11:30:00+00')")).toEqual([
      { volume: '1200' },
    ])
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

  test('has the session published despite the break, and the reason stored beside the raw pages', async () => {
    const { run, seen, warehouse, home } = await openNight()
    await run('2025-03-14', broken)
    expect(await overrideBreaks(warehouse, home, words, evening())).toHaveLength(1)
    await publishTest(warehouse, home)
    expect(await seen()).toEqual(['2025-03-14 1500'])
    expect(await ask(home, 'SELECT rule, trading_date, because FROM recon.acceptance')).toEqual([
      { rule: 1, trading_date: '2025-03-14', because: 'the broker says so' },
    ])
    expect(await ask(home, 'SELECT state, accepted FROM recon.finding WHERE rule = 1')).toEqual([
      { state: 'break', accepted: 'the broker says so' },
    ])

    // Overridden are the rows that were shown, not later ones.
    const other = ['09:15:00', '27000', '26985', '26950', '26980', '1600', '43200000'] as const
    await run('2025-03-14', other)
    expect(await seen()).toEqual(['2025-03-14 1500'])
    expect(await ask(home, 'SELECT accepted FROM recon.finding WHERE rule = 1')).toEqual([{ accepted: null }])
    await run('2025-03-14', broken)
    expect(await seen()).toEqual(['2025-03-14 1500'])
    expect(await ask(home, 'SELECT accepted FROM recon.finding WHERE rule = 1')).toEqual([
      { accepted: 'the broker says so' },
    ])
  })

  test('is heard although a full disk tore the last line of what was accepted before; overrides nothing if nothing is broken', async () => {
    const { run, seen, warehouse, home } = await openNight()
    await run('2025-03-14', good)
    expect(await overrideBreaks(warehouse, home, words, evening())).toEqual([])
    await run('2025-03-14', broken)
    expect(await seen()).toEqual(['2025-03-14 1200'])
    mkdirSync(join(home, 'raw'), { recursive: true })
    writeFileSync(join(home, 'raw', 'accepted.ndjson'), '{"rule":1,"subj')
    await overrideBreaks(warehouse, home, words, evening())
    await publishTest(warehouse, home)
    expect(await seen()).toEqual(['2025-03-14 1500'])
    expect(readOverrides(home)).toHaveLength(1)
  })
})
