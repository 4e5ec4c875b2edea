import { describe, expect, test } from 'vitest'
import { renderImport } from '../../src/cli/render/import.js'
import {
  autoWriter,
  csvWriter,
  jsonWriter,
  tableWriter,
  verticalWriter,
} from '../../src/cli/render/result.js'
import { renderSummary } from '../../src/cli/render/summary.js'
import { renderTable } from '../../src/cli/render/table.js'
import { adviceLine } from '../../src/night/conclusion.js'
import { conclusionOf, gapOf } from '../support/conclusions.js'

const columns = [
  { name: 'symbol', type: 'VARCHAR' },
  { name: 'volume', type: 'BIGINT' },
]
const rows = [
  ['FPT', '1200'],
  ['a "b",\nc', null],
]

describe('a result', () => {
  test('as JSON is an array of row objects, chunk by chunk', () => {
    const writer = jsonWriter()
    const text =
      writer.begin(columns) + writer.rows(rows) + writer.rows([['HPG', '9007199254740993']]) + writer.end()
    expect(JSON.parse(text)).toEqual([
      { symbol: 'FPT', volume: '1200' },
      { symbol: 'a "b",\nc', volume: null },
      { symbol: 'HPG', volume: '9007199254740993' },
    ])
    expect(JSON.parse(jsonWriter().begin(columns) + jsonWriter().end())).toEqual([])
  })

  test('as CSV is RFC 4180: quoted where needed, NULL empty, an empty string quoted', () => {
    const writer = csvWriter()
    expect(writer.begin(columns) + writer.rows([...rows, ['', '0']])).toBe(
      'symbol,volume\r\nFPT,1200\r\n"a ""b"",\nc",\r\n"",0\r\n',
    )
  })

  test('as CSV is no formula of a spreadsheet: text gets an apostrophe as in an export, numbers stay', () => {
    const writer = csvWriter()
    const named = [{ name: '=a', type: 'VARCHAR' }, ...columns.slice(1)]
    expect(
      writer.begin(named) +
        writer.rows([
          ['=1+1', '-5'],
          ['@x', '+1'],
          ['-x', '0'],
          ['x=1', '1'],
        ]),
    ).toBe("'=a,volume\r\n'=1+1,-5\r\n'@x,+1\r\n'-x,0\r\nx=1,1\r\n")
  })

  test('as a table has aligned numbers and one line per row', () => {
    const writer = tableWriter()
    expect(writer.begin(columns) + writer.rows(rows) + writer.end()).toBe(
      'symbol    volume\n────────  ──────\nFPT         1200\na "b", c\n',
    )
  })

  test('without rows has its columns', () => {
    const writer = tableWriter()
    expect(writer.begin(columns) + writer.end()).toBe('symbol  volume\n──────  ──────\n(no rows)\n')
  })
})

test.each([
  ['a table', tableWriter()],
  ['values below each other', verticalWriter(20)],
  ['what fits the terminal', autoWriter(20)],
])('a plan keeps its lines: as %s', (_, writer) => {
  const text = ['explain_key', 'explain_value'].map((name) => ({ name, type: 'VARCHAR' }))
  const plan = '┌──────┐\n│ SCAN │\n└──────┘\n\u001b[2J'
  expect(writer.begin(text) + writer.rows([['physical_plan', plan]]) + writer.end()).toBe(
    '┌──────┐\n│ SCAN │\n└──────┘\n\\u{1b}[2J\n',
  )
})

test('what an import would do is in words of the number, and says what only the import finds out', () => {
  const view = {
    dataset: 'securitiesSummary',
    relation: 'market.daily_summary',
    file: 'a.csv',
    bytes: 9,
    sha256: '',
    rows: 1,
    subjects: 1,
    sessions: 1,
    from: '2015-03-16',
    to: '2015-03-16',
    undated: 0,
    closed: [],
    rejected: null,
    standing: 0,
    notes: [],
  }
  expect(renderImport(view).split('\n')).toEqual([
    'a.csv: 1 row for market.daily_summary, 1 symbol, 1 session, 2015-03-16 to 2015-03-16; nothing was written',
    'numbers and texts are checked when the file is imported: ops.quarantine then has what is wrong',
  ])
  const indexes = { ...view, dataset: 'indexSummary', rows: 1200, subjects: 2, sessions: 3 }
  expect(renderImport(indexes)).toContain('1,200 rows for market.daily_summary, 2 indexes, 3 sessions')
})

test('a long cell is whole, control characters become spaces', () => {
  const table = renderTable([{ title: 'a' }], [['x'.repeat(100)], ['y\u001b[31mz']])
  expect(table.split('\n')[2]).toBe('x'.repeat(100))
  expect(table.split('\n')[3]).toBe('y [31mz')
})

test('a summary says first what is missing and why, and last what to type', () => {
  const conclusion = conclusionOf({ run: { exitCode: 4 }, ledger: { gaps: [gapOf()] } })
  const [advice = { command: null, why: '' }] = conclusion.next
  const text = renderSummary({
    job: 'nightly',
    runId: 'r',
    tradingDate: '2025-03-14',
    outcome: 'attention',
    exitCode: 4,
    startedAt: '2025-03-14T11:30:00.000Z',
    finishedAt: '2025-03-14T11:30:12.000Z',
    datasets: [
      {
        dataset: 'ohlc',
        windows: 9,
        requests: 1234,
        rows: 56789,
        changed: 56789,
        rejected: 0,
        missing: Array.from({ length: 7 }, (_, index) => `S${index} 1m 2025-03-14: 3 of 5 rows`),
      },
    ],
    checks: null,
    notes: [],
    next: [adviceLine(advice), 'candlehouse status'],
    conclusion,
  })
  expect(text.split('\n')).toEqual([
    'nightly for 2025-03-14: 2 windows missing (ohlc) in 12 s (exit 4)',
    '  missing: ohlc: 2 windows of 2025-03-13 to 2025-03-14 incomplete (FPT, HPG): HTTP 500; the service stops serving the first on 2026-03-14',
    '',
    'dataset  windows  requests    rows  changed  rejected  missing',
    '───────  ───────  ────────  ──────  ───────  ────────  ───────',
    'ohlc           9     1,234  56,789   56,789         0        7',
    '',
    'Next',
    '  candlehouse repair    # fetches the incomplete windows again; the first expires on 2026-03-14',
    '  candlehouse status',
  ])
})
