import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../src/duckdb/open.js'
import { silentLog } from '../../src/effects.js'
import { type Ending, writeMetrics } from '../../src/run/conclusion/metrics.js'
import { renderMetrics } from '../../src/run/conclusion/openmetrics.js'
import { closeRun, openRun } from '../../src/warehouse/runs.js'
import { temporaryFolder } from '../support/folder.js'
import { loadWalks, openTestWarehouse } from '../support/landed.js'
import { parseOpenMetrics } from '../support/openmetrics.js'
import { candleWalk, evening, limitWalk, publishTest } from '../support/published.js'

const NOTHING = { windows: 0, requests: 0, rows: 0, changed: 0, rejected: 0 }
/** Of a home with two keys, one of which nobody has logged in with. */
const ENDING: Ending = {
  summary: undefined,
  conclusion: { complete: false, trusted: true },
  sessions: [
    { name: 'main', isStored: true, endsAt: '2025-07-01T00:00:00.000Z' },
    { name: 'margin', isStored: false, endsAt: null },
  ],
}
const CONCLUDED = {
  candlehouse_complete: 0,
  candlehouse_trusted: 1,
  'candlehouse_verified_session{key="main"}': 1,
  'candlehouse_verified_session{key="margin"}': 0,
  'candlehouse_verified_session_expiry_timestamp_seconds{key="main"}':
    Date.parse('2025-07-01T00:00:00Z') / 1000,
}
const NOON = Date.parse('2025-06-30T12:00:00Z')

async function run(
  warehouse: Database,
  id: string,
  job: string,
  exitCode: number,
  now: number,
): Promise<void> {
  await openRun(warehouse, id, job, '2025-06-30', now - 1000)
  await closeRun(warehouse, id, { state: 'done', exitCode, counts: NOTHING, now })
}

/** A home with a gap that expires, one that has expired, rejected records, findings, and three runs. */
async function knownHome(): Promise<{ home: string; warehouse: Database }> {
  const home = temporaryFolder()
  const warehouse = await openTestWarehouse(home)
  const unreadable = ['09:15:00', 'x', '1', '1', '1', '1', '1'] as const
  const end = { state: 'incomplete', reason: 'page 2 never came' } as const
  await loadWalks(warehouse, home, [
    limitWalk('2025-03-13', 'HPG', 'FPT'),
    limitWalk('2025-03-14', 'HPG', 'FPT'),
    candleWalk('HPG', '2025-03-13', ['09:15:00', '09:16:00']),
    candleWalk('HPG', '2025-03-14', [unreadable]),
    { ...candleWalk('FPT', '2024-07-03', []), end },
    { ...candleWalk('FPT', '2024-06-03', []), end },
  ])
  const finding = (rule: number, severity: string, state: string): string =>
    `(${rule}, 'market', '2025-03-14', '${severity}', '${state}', 'market.candle')`
  await warehouse.run(
    `INSERT INTO recon.finding (rule, subject, trading_date, severity, state, relations)
     VALUES ${[finding(1, 'error', 'break'), finding(2, 'error', 'break'), finding(3, 'warn', 'pass')].join(', ')}`,
  )
  await run(warehouse, '1', 'nightly', 0, NOON - 7_200_000)
  await run(warehouse, '2', 'nightly', 4, NOON - 3_600_000)
  await run(warehouse, '3', 'backfill', 0, NOON - 1_800_500)
  await publishTest(warehouse, home)
  return { home, warehouse }
}

describe('metrics.prom', () => {
  let home: string
  let warehouse: Database
  beforeAll(async () => {
    const known = await knownHome()
    home = known.home
    warehouse = known.warehouse
  })

  test('tells what is known of a home, in the grammar of the format', async () => {
    await writeMetrics(warehouse, home, evening(), ENDING)
    const file = join(home, 'metrics.prom')
    const { samples, types, units } = parseOpenMetrics(readFileSync(file, 'utf8'))
    expect(statSync(file).mode & 0o777).toBe(0o644)
    expect(existsSync(`${file}.tmp`)).toBe(false)
    const { 'candlehouse_rows{relation="ops.request"}': pages, ...others } = samples
    expect(pages).toBe(6)
    expect(others).toEqual({
      'candlehouse_last_success_timestamp_seconds{job="nightly"}': NOON / 1000 - 7_200,
      'candlehouse_last_success_timestamp_seconds{job="backfill"}': NOON / 1000 - 1_800.5,
      'candlehouse_last_run_timestamp_seconds{job="nightly"}': NOON / 1000 - 3_600,
      'candlehouse_last_run_timestamp_seconds{job="backfill"}': NOON / 1000 - 1_800.5,
      'candlehouse_last_run_exit_code{job="nightly"}': 4,
      'candlehouse_last_run_exit_code{job="backfill"}': 0,
      'candlehouse_rows{relation="market.candle"}': 2,
      'candlehouse_rows{relation="market.price_limit"}': 4,
      'candlehouse_rows{relation="mart.chain_gap"}': 4,
      'candlehouse_rows{relation="mart.intraday"}': 1,
      'candlehouse_rows{relation="mart.session_factor"}': 4,
      'candlehouse_rows{relation="ops.coverage"}': 6,
      'candlehouse_rows{relation="ops.publication"}': 1,
      'candlehouse_rows{relation="ops.quarantine"}': 1,
      'candlehouse_rows{relation="ops.run"}': 3,
      'candlehouse_rows{relation="recon.finding"}': 3,
      candlehouse_rejected_records: 1,
      ...Object.fromEntries(
        ['error', 'warn'].flatMap((severity) =>
          ['pass', 'soft', 'break', 'not_evaluable'].map((state) => [
            `candlehouse_findings{severity="${severity}",state="${state}"}`,
            new Map([
              ['error break', 2],
              ['warn pass', 1],
            ]).get(`${severity} ${state}`) ?? 0,
          ]),
        ),
      ),
      candlehouse_withheld_partitions: 1,
      candlehouse_withheld_symbols: 0,
      'candlehouse_newest_session_timestamp_seconds{dataset="masterdata"}':
        Date.parse('2025-03-14T00:00:00+07:00') / 1000,
      'candlehouse_newest_session_timestamp_seconds{dataset="ohlc"}':
        Date.parse('2025-03-13T00:00:00+07:00') / 1000,
      'candlehouse_incomplete_windows{dataset="masterdata"}': 0,
      'candlehouse_incomplete_windows{dataset="ohlc"}': 2,
      candlehouse_days_to_expiry: 4,
      candlehouse_publication_timestamp_seconds: NOON / 1000,
      'candlehouse_incomplete_windows_by_reason{dataset="ohlc",reason="other"}': 2,
      ...CONCLUDED,
    })
    expect(new Set(Object.values(types))).toEqual(new Set(['gauge']))
    expect(Object.keys(units)).toHaveLength(5)
  })

  test('of an empty home leaves out what is not known', async () => {
    const home = temporaryFolder()
    await writeMetrics(await openTestWarehouse(home), home, evening(), ENDING)
    const { samples } = parseOpenMetrics(readFileSync(join(home, 'metrics.prom'), 'utf8'))
    expect(samples).toEqual({
      candlehouse_rejected_records: 0,
      candlehouse_withheld_partitions: 0,
      candlehouse_withheld_symbols: 0,
      ...CONCLUDED,
    })
  })

  test('knows the run that is just ending, also where the ledger does not', async () => {
    const finishedAt = new Date(NOON).toISOString()
    await writeMetrics(warehouse, home, evening(), {
      ...ENDING,
      summary: { job: 'nightly', exitCode: 130, finishedAt },
    })
    const { samples } = parseOpenMetrics(readFileSync(join(home, 'metrics.prom'), 'utf8'))
    expect(samples).toMatchObject({
      'candlehouse_last_run_timestamp_seconds{job="nightly"}': NOON / 1000,
      'candlehouse_last_run_exit_code{job="nightly"}': 130,
      'candlehouse_last_success_timestamp_seconds{job="nightly"}': NOON / 1000 - 7_200,
    })
  })

  test('half written by a killed run is never seen, and written over by the next', async () => {
    const file = join(home, 'metrics.prom')
    await writeMetrics(warehouse, home, evening(), ENDING)
    const before = readFileSync(file, 'utf8')
    writeFileSync(`${file}.tmp`, before.slice(0, 100), { mode: 0o600 })
    expect(readFileSync(file, 'utf8')).toBe(before)
    await writeMetrics(warehouse, home, evening(), ENDING)
    expect(readFileSync(file, 'utf8')).toBe(before)
    expect(statSync(file).mode & 0o777).toBe(0o644)
    expect(existsSync(`${file}.tmp`)).toBe(false)
  })

  test('that cannot be written fails nothing, is warned of, and leaves the file of before whole', async () => {
    await writeMetrics(warehouse, home, evening(), ENDING)
    const file = join(home, 'metrics.prom')
    const before = readFileSync(file, 'utf8')
    mkdirSync(`${file}.tmp`)
    const warnings: string[] = []
    const log = { ...silentLog, warn: (message: string) => void warnings.push(message) }
    await writeMetrics(warehouse, home, { ...evening(), log }, ENDING)
    expect(warnings).toEqual([expect.stringMatching(/metrics\.prom was not written: /)])
    expect(readFileSync(file, 'utf8')).toBe(before)
  })
})

describe('OpenMetrics text', () => {
  test('escapes label values and ends with its end', () => {
    const text = renderMetrics([
      {
        name: 'odd',
        help: 'of a \\ and\na line',
        unit: undefined,
        samples: [{ labels: { is: 'a "b"\\c\nd' }, value: 1.5 }],
      },
      { name: 'nothing', help: 'left out', unit: undefined, samples: [] },
    ])
    expect(text).toBe(
      '# TYPE odd gauge\n# HELP odd of a \\\\ and\\na line\nodd{is="a \\"b\\"\\\\c\\nd"} 1.5\n# EOF\n',
    )
    expect(parseOpenMetrics(text).samples).toEqual({ 'odd{is="a \\"b\\"\\\\c\\nd"}': 1.5 })
    expect(renderMetrics([])).toBe('# EOF\n')
  })

  test.each([
    ['no end', 'a 1\n'],
    ['a sample before its type', 'a 1\n# EOF\n'],
    ['a series twice', '# TYPE a gauge\na 1\na 2\n# EOF\n'],
    ['a family in two places', '# TYPE a gauge\na 1\n# TYPE b gauge\nb 1\n# TYPE a gauge\n# EOF\n'],
    ['a unit that is not in the name', '# TYPE a gauge\n# UNIT a seconds\na 1\n# EOF\n'],
    ['an empty line', '# TYPE a gauge\n\na 1\n# EOF\n'],
    ['a label unquoted', '# TYPE a gauge\na{b=c} 1\n# EOF\n'],
  ])('the reader of these tests refuses %s', (_, text) => {
    expect(() => parseOpenMetrics(text)).toThrow(SyntaxError)
  })
})
