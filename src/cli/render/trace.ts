import type { Naming, Trace } from '../../read/index.js'
import { relations } from '../../relations.js'
import { visible } from '../terminal.js'
import { count, renderTable } from './table.js'

/** Letters of a whole page shown where its record could not be cut; --json has all of it. */
const SHOWN = 2000

/** One row and its way back to the page, for people. What came from outside is shown without control characters. */
export function renderTrace(trace: Trace): string {
  const key = Object.entries(trace.key).map(([name, value]) => `${name} ${value}`)
  return visible(
    [
      `${trace.relation}: ${key.join(', ')}`,
      section('Row', fields(trace.row)),
      ...(trace.derivedFrom ? derivation(trace.derivedFrom) : [...origin(trace), ...history(trace)]),
    ].join('\n\n'),
  )
}

/** How rows of a relation are named, with an example. */
export function renderNaming({ relation, key, example }: Naming): string {
  const columns = key.map(
    ({ name, type }) => `  ${name.padEnd(width(key.map((each) => each.name)))}  ${type}`,
  )
  return [`A row of ${relation} is named by`, ...columns, '', `  ${example}`].join('\n')
}

/** That the raw file is not what was landed; undefined when it is, or is gone. */
export function tampered({ raw, page }: Trace): string | undefined {
  if (raw?.state === 'unreadable') return `${raw.file} cannot be read, though its SHA-256 is the ledger's`
  if (raw?.state !== 'differs') return undefined
  return `${raw.file} IS NOT WHAT WAS LANDED: its SHA-256 is ${raw.sha256}, the ledger says ${page?.sha256}`
}

const RUN = ['run_id', 'job', 'trading_date', 'started_at', 'finished_at', 'state', 'exit_code']
const PAGE = [
  'endpoint',
  'query',
  'page',
  'received_at',
  'status',
  'attempts',
  'sha256',
  'request_id',
  'raw_file',
]

function origin(trace: Trace): string[] {
  const { page, raw } = trace
  if (!page) {
    const why =
      typeof trace.row.request_id === 'string'
        ? `${trace.row.request_id} is not in the ledger`
        : 'no single page brought it: candlehouse itself made this row'
    return [section('Page', [why])]
  }
  const warning = tampered(trace)
  return [
    ...(warning ? [`!!! ${warning}`] : []),
    section('Page', fields(page, PAGE)),
    ...(raw?.state === 'missing'
      ? [
          section('Record as received', [
            `gone: there is no ${raw.file} in the home; the ledger above is what is left`,
          ]),
        ]
      : record(trace)),
  ]
}

function record({ record, body, relation, raw }: Trace): string[] {
  if (record) {
    const at =
      record.position === null ? '' : `, ${count(record.position)} of ${count(record.of ?? 0)} in its list`
    return [section(`Record as received${at}`, [record.text])]
  }
  if (body === null) return []
  const more = body.length > SHOWN ? [`… ${count(body.length)} letters in all: gzip -dc ${raw?.file}`] : []
  const why = /^(market|account)\./.test(relation) ? ': no record of it could be told to be this row' : ''
  return [section(`Page as received${why}`, [body.slice(0, SHOWN), ...more])]
}

/** Derived candles have none: nothing of them is stored. */
function history(trace: Trace): string[] {
  const run = trace.run ? fields(trace.run, RUN) : ['not in the ledger']
  return [section('Run', run), revisions(trace), findings(trace)]
}

function derivation({ bars, pages }: NonNullable<Trace['derivedFrom']>): string[] {
  const shown = ['local_time', 'open', 'high', 'low', 'close', 'volume', 'value', 'request_id']
  const columns = shown.map((title) => ({ title, right: title !== 'local_time' && title !== 'request_id' }))
  const rows = bars.map((bar) => shown.map((name) => cell(bar[name])))
  const files = pages.map(({ request_id, received_at, raw_file }) =>
    [request_id, cell(received_at), raw_file].map(String),
  )
  return [
    `Derived: computed from ${number(bars.length, '1m bar')} of ${number(pages.length, 'page')}; stored nowhere`,
    section('Bars', [renderTable(columns, rows)]),
    section('Pages', [renderPages(files)]),
  ]
}

function renderPages(files: readonly (readonly string[])[]): string {
  const widths = [0, 1].map((index) => width(files.map((each) => each[index] ?? '')))
  return files.map((each) => each.map((text, index) => text.padEnd(widths[index] ?? 0)).join('  ')).join('\n')
}

function revisions({ relation, revisions: all }: Trace): string {
  if (all.length === 0) {
    const kept = relations.some(
      ({ name, layout, volatile }) =>
        name === relation && layout === 'session' && volatile.includes('loaded_at'),
    )
    return section('Revisions', [
      kept ? 'none: it says what it said when it first arrived' : 'not kept of this relation',
    ])
  }
  const columns = ['observed_at', 'column', 'old', 'new', 'request_id'].map((title) => ({ title }))
  const rows = all.map((each) => [
    each.observed_at,
    each.column === '*' ? 'withdrawn' : each.column,
    each.old ?? '',
    each.new ?? '',
    each.request_id,
  ])
  return section('Revisions, oldest first', [renderTable(columns, rows)])
}

function findings({ findings: all }: Trace): string {
  if (all.length === 0) return section('Findings', ['none: no rule names it'])
  const lines = all.flatMap((each) => [
    `rule ${each.rule} (${each.severity}, ${each.state}): ${each.title}`,
    `  expected ${each.expected ?? 'nothing'}, is ${each.actual ?? 'nothing'}; since ${each.since}`,
    ...(each.accepted === null ? [] : [`  accepted: ${each.accepted}`]),
  ])
  return section('Findings', lines)
}

function section(title: string, lines: readonly string[]): string {
  return [title, ...lines.flatMap((line) => line.split('\n')).map((line) => `  ${line}`)].join('\n')
}

function fields(values: Readonly<Record<string, unknown>>, names = Object.keys(values)): string[] {
  const wide = width(names)
  return names.map((name) => `${name.padEnd(wide)}  ${cell(values[name])}`.trimEnd())
}

function cell(value: unknown): string {
  return value === null || value === undefined ? '' : String(value)
}

function width(texts: readonly string[]): number {
  return Math.max(0, ...texts.map((text) => text.length))
}

function number(many: number, what: string): string {
  return `${count(many)} ${what}${many === 1 ? '' : 's'}`
}
