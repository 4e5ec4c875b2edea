import { describe, expect, test } from 'vitest'
import { renderPlan } from '../../src/cli/render/plan.js'
import { csvWriter, jsonWriter, tableWriter } from '../../src/cli/render/result.js'
import { renderHashes, renderStatus } from '../../src/cli/render/status.js'
import { renderSummary } from '../../src/cli/render/summary.js'
import { count, renderTable } from '../../src/cli/render/table.js'
import { adviceLine } from '../../src/night/conclusion.js'
import type { RunSummary } from '../../src/night/summary.js'
import type { Status } from '../../src/read/index.js'
import type { PlanView } from '../../src/run/jobs/dry-run.js'
import { conclusionOf } from '../support/conclusions.js'

describe('a plan', () => {
  const daily = {
    dataset: 'securitiesSummary',
    windows: 1,
    pages: 1700,
    from: '2025-03-10',
    to: '2025-03-14',
    why: 'may have been restated',
  } as const
  const view: PlanView = {
    job: 'nightly',
    tradingDate: '2025-03-14',
    stages: [
      {
        stage: 'lists',
        estimate: false,
        datasets: [
          { dataset: 'securities', windows: 3, pages: 3, from: '2025-03-14', to: '2025-03-14', why: 'a day' },
        ],
        requests: [],
      },
      { stage: 'daily', estimate: true, datasets: [daily], requests: [] },
      { stage: 'candles', estimate: true, datasets: [], requests: [] },
    ],
    assumes: null,
    inDoubt: ['planned 2025-03-14, although nobody knows'],
    leftOut: [{ dataset: 'ohlc', from: '2024-01-01', to: '2024-03-13', why: 'older than one year' }],
    pages: 1703,
    seconds: 171,
  }

  test('is a table below the total, with unknown stages and skipped windows', () => {
    expect(renderPlan(view).split('\n')).toEqual([
      'nightly for 2025-03-14 would send at least 1,703 requests, at least 2 min 51 s at the highest rate; nothing was sent',
      '',
      'stage  dataset            windows  requests  sessions                 why',
      '─────  ─────────────────  ───────  ────────  ───────────────────────  ────────────────────────────────',
      'lists  securities               3         3  2025-03-14               a day',
      'daily  securitiesSummary        1     1,700  2025-03-10 … 2025-03-14  estimate: may have been restated',
      '',
      'candles: none needed yet; the stages before it may add some',
      '',
      'planned 2025-03-14, although nobody knows',
      '',
      'skipped: older than one year (2024-01-01 to 2024-03-13)',
    ])
  })

  test("with a known size has no 'at least'", () => {
    const stages = view.stages.map((stage) => ({ ...stage, estimate: false }))
    const [line] = renderPlan({ ...view, stages, leftOut: [], seconds: null }).split('\n')
    expect(line).toBe('nightly for 2025-03-14 would send 1,703 requests; nothing was sent')
  })
})

/** Before the first run. */
const EMPTY: Status = {
  publication: null,
  datasets: [],
  gaps: [],
  gapCount: 0,
  quarantined: 0,
  drift: [],
  keys: [],
  lastRequestAt: null,
  idleDays: null,
  expiring: [],
  withheld: [],
  findings: null,
  bucket: null,
  conclusion: null,
  lastRun: null,
  killedRun: null,
}

/** After a night that ended early: gaps, fields that the specification does not have, an API key not used for weeks. */
const INCOMPLETE: Status = {
  ...EMPTY,
  publication: { id: 7, publishedAt: '2025-03-14T11:31:00.000Z', ageSeconds: 7_800 },
  datasets: [
    {
      dataset: 'ohlc',
      timeframe: '1m',
      from: '2025-03-10',
      to: '2025-03-14',
      keys: 1700,
      complete: 8499,
      empty: 0,
      incomplete: 1,
      refused: 0,
      imported: 0,
      nextExpiry: '2026-03-10',
    },
    {
      dataset: 'indexSummary',
      timeframe: '',
      from: '2025-03-14',
      to: '2025-03-14',
      keys: 4,
      complete: 4,
      empty: 0,
      incomplete: 0,
      refused: 0,
      imported: 0,
      nextExpiry: null,
    },
  ],
  gaps: [
    { dataset: 'ohlc', key: 'FPT', timeframe: '1m', day: '2025-03-10', reason: '3 of 5 rows' },
    { dataset: 'masterdata', key: '*', timeframe: '', day: '2025-03-10', reason: 'no answer' },
  ],
  gapCount: 1202,
  quarantined: 3,
  drift: [
    { dataset: 'masterdata', unknown: ['ref_price_x'], absent: ['refPrice'] },
    { dataset: 'ohlc', unknown: ['a', 'b'], absent: [] },
  ],
  lastRequestAt: '2025-01-01T00:00:00Z',
  idleDays: 72,
  conclusion: conclusionOf({
    run: { exitCode: 5 },
    failure: { message: 'the service gave up', hint: undefined },
  }),
}

describe('a status', () => {
  const jobs = [{ name: 'nightly', next: '2025-03-17T18:30+07:00', zone: 'Asia/Ho_Chi_Minh' }] as const

  test('before the first run names the command to run and the next runs', () => {
    expect(renderStatus(EMPTY, null, jobs).split('\n\n')).toEqual([
      'nothing is published yet: run candlehouse nightly',
      'no run has ended yet',
      'no session is stored: accounts need a one-time password (candlehouse login)',
      'next nightly: 2025-03-17 18:30:00 UTC+7 (if `schedule run` or its units are active)',
    ])
  })

  test('begins with a run that was killed', () => {
    const killedRun = { job: 'nightly', tradingDate: '2025-03-14', startedAt: '2025-03-14T11:30:00.000Z' }
    expect(renderStatus({ ...EMPTY, killedRun }, null, []).split('\n')[0]).toBe(
      'the nightly for 2025-03-14 that began at 2025-03-14 18:30:00 UTC+7 was killed before it ended: type its command again, it continues where it stopped',
    )
  })

  test.each([
    [4 * 86_400 - 1, '95 h 59 min'],
    [4 * 86_400, '4 days'],
    [29_662_020, '343 days'],
  ])('an age of %i seconds is %s', (ageSeconds, words) => {
    const publication = { id: 7, publishedAt: '2025-03-14T11:31:00.000Z', ageSeconds }
    expect(renderStatus({ ...EMPTY, publication }, null, [])).toContain(`publication 7, ${words} old (2025-`)
  })

  test('shows freshness, coverage, gaps and how many more, rejected records, the last run, the idle key', () => {
    const session = { baseUrl: 'https://x', expiresAt: null, refreshExpiresAt: '2025-03-21T11:31:00.000Z' }
    expect(renderStatus(INCOMPLETE, session, []).split('\n')).toEqual([
      'nightly for 2025-03-14, ended 2025-03-14 18:31:00 UTC+7 with exit 5: failed',
      '  missing: the nightly for 2025-03-14 failed with exit 5: the service gave up',
      'Next',
      '  candlehouse nightly    # continues where the run stopped, once the service answers again',
      '',
      'publication 7, 2 h 10 min old (2025-03-14 18:31:00 UTC+7)',
      '',
      'dataset       timeframe  sessions                  keys  complete  empty  incomplete  refused  expires next',
      '────────────  ─────────  ───────────────────────  ─────  ────────  ─────  ──────────  ───────  ────────────',
      'ohlc          1m         2025-03-10 … 2025-03-14  1,700     8,499      0           1        0  2026-03-10',
      'indexSummary             2025-03-14                   4         4      0           0        0',
      '',
      'Gaps',
      '  ohlc FPT 1m 2025-03-10: 3 of 5 rows',
      '  masterdata * 2025-03-10: no answer',
      '  and 1,200 more',
      '',
      'Fields other than in the specification',
      '  masterdata: unknown field ref_price_x; without the field refPrice',
      '  ohlc: unknown fields a, b',
      '',
      'API key last used 72 days ago (2025-01-01 07:00:00 UTC+7); keys idle for 90 days are suspended',
      '',
      'session stored: it expires at 2025-03-21 18:31:00 UTC+7; every run that refreshes it extends it',
    ])
  })

  test('hashes are printed beside their relations', () => {
    expect(renderHashes({ 'market.candle': '2-1-3' })).toBe(
      'relation       rows-xor-sum\n─────────────  ────────────\nmarket.candle  2-1-3',
    )
  })
})

describe('a summary', () => {
  const summary: RunSummary = {
    job: 'nightly',
    runId: 'r',
    tradingDate: '2025-03-14',
    outcome: 'complete',
    exitCode: 0,
    startedAt: '2025-03-14T11:30:00.000Z',
    finishedAt: '2025-03-14T11:30:00.400Z',
    datasets: [],
    checks: null,
    notes: [],
    next: ['candlehouse status'],
    conclusion: conclusionOf(),
  }

  test('of a successful run without details is one line, and where to look', () => {
    expect(renderSummary(summary)).toBe(
      'nightly for 2025-03-14: complete in 0.4 s\n\nNext\n  candlehouse status',
    )
  })

  test('shows notes and the failure', () => {
    const failure = { message: 'the service gave up', hint: undefined }
    const conclusion = conclusionOf({ run: { exitCode: 5 }, failure })
    const next = conclusion.next.map(adviceLine)
    const text = renderSummary({ ...summary, exitCode: 5, notes: ['read 3 pages'], next, conclusion })
    expect(text.split('\n')).toEqual([
      'nightly for 2025-03-14: failed in 0.4 s (exit 5)',
      '  missing: the nightly for 2025-03-14 failed with exit 5: the service gave up',
      '',
      'Notes',
      '  read 3 pages',
      '',
      'Next',
      '  candlehouse nightly    # continues where the run stopped, once the service answers again',
    ])
  })
})

describe('a table', () => {
  test('is whole, however long, and aligned by characters', () => {
    const clef = '\u{1d11e}'
    const table = renderTable([{ title: 'a' }], [[clef.repeat(60)], [clef.repeat(61)]])
    expect(table.split('\n').slice(1)).toEqual(['─'.repeat(61), clef.repeat(60), clef.repeat(61)])
  })

  test.each([
    ['a line end', 'a\r\nb', 'a b'],
    ['an escape', '\u001b]0;title\u0007x', ' ]0;title x'],
    ['a turn of direction', 'a\u202eb', 'a b'],
    ['a line separator', 'a\u2028b', 'a b'],
    ['C1', 'a\u009bb', 'a b'],
  ])('does not print %s of a value', (_, value, shown) => {
    expect(renderTable([{ title: 'a' }], [[value]]).split('\n')[2]).toBe(shown)
  })

  test('does not print escapes of a column name', () => {
    const writer = tableWriter()
    const text = writer.begin([{ name: 'a\u001b[31mb', type: 'VARCHAR' }]) + writer.rows([['x']])
    expect(text).toBe('a [31mb\n───────\nx\n')
  })

  test('counts are grouped by thousands in every locale', () => {
    expect(count(63_717)).toBe('63,717')
    expect(count(0)).toBe('0')
  })
})

describe('a result', () => {
  const columns = [{ name: '__proto__', type: 'VARCHAR' }]

  test('keeps a column of any name in JSON', () => {
    const writer = jsonWriter()
    expect(writer.begin(columns) + writer.rows([['x']]) + writer.end()).toBe('[\n{"__proto__":"x"}\n]\n')
  })

  test('quotes a column name in CSV, and writes lists as JSON', () => {
    const writer = csvWriter()
    const text = writer.begin([{ name: 'a,b', type: 'VARCHAR[]' }]) + writer.rows([[['1', null]]])
    expect(text).toBe('"a,b"\r\n"[""1"",null]"\r\n')
  })

  test('in chunks has one header, with the widths of the first chunk', () => {
    const writer = tableWriter()
    const text =
      writer.begin([{ name: 'n', type: 'BIGINT' }]) + writer.rows([['10']]) + writer.rows([['2'], ['300']])
    expect(text + writer.end()).toBe(' n\n──\n10\n 2\n300\n')
  })
})
