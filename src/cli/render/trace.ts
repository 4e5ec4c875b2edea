import { shownInstant } from 'candlehouse-foundation/market/day'
import { counted } from 'candlehouse-foundation/number-text'
import { visible } from 'candlehouse-foundation/visible'
import type { KeyDescription, Trace } from '../../read/index.js'
import { relations } from '../../relations.js'
import { columnsOf, count, renderTable } from './table.js'

/** Characters shown of a whole page, if its record could not be cut out; --json has the whole page. */
const SHOWN = 2000

/** One row and where it came from, as text. Control characters of outside data are escaped. */
export function renderTrace(trace: Trace): string {
  const key = Object.entries(trace.key).map(([name, value]) => `${name} ${cell(value, name)}`)
  return visible(
    [
      `${trace.relation}: ${key.join(', ')}`,
      section('Row', fields(trace.row)),
      ...(trace.derivedFrom ? derivation(trace.derivedFrom) : [...origin(trace), ...history(trace)]),
    ].join('\n\n'),
  )
}

export function renderKey({ relation, key, example }: KeyDescription): string {
  const widest = width(key.map(({ name }) => name))
  const columns = key.map(({ name, type }) => `  ${name.padEnd(widest)}  ${type}`)
  return [`The key of ${relation} is`, ...columns, '', 'Example', `  ${example}`].join('\n')
}

const WITHOUT_FILE = {
  missing: (file: string) => `${file} does not exist in the home; only the ledger entry above is left`,
  deleted: (file: string) =>
    `${file} was deleted with its month by raw delete; only the ledger entry above is left`,
}

/** A warning if the raw file was changed or cannot be read; undefined if it is as landed, or missing. */
export function damageWarning({ raw, page }: Trace): string | undefined {
  if (raw?.state === 'unreadable')
    return `${raw.file} cannot be read, although its SHA-256 matches the ledger`
  if (raw?.state !== 'differs') return undefined
  return `${raw.file} WAS CHANGED AFTER IT WAS LANDED: its SHA-256 is ${raw.sha256}, the ledger has ${page?.sha256}`
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
    const reason =
      typeof trace.row.request_id === 'string'
        ? `${trace.row.request_id} is not in the ledger`
        : 'none: this row was computed by candlehouse, not received in one page'
    return [section('Page', [reason])]
  }
  const warning = damageWarning(trace)
  return [
    ...(warning ? [`!!! ${warning}`] : []),
    section('Page', fields(page, PAGE)),
    ...(raw?.state === 'missing' || raw?.state === 'deleted'
      ? [section('Record as received', [`${raw.state}: ${WITHOUT_FILE[raw.state](raw.file)}`])]
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
  const more =
    body.length > SHOWN
      ? [
          `… ${count(body.length)} characters in total: ${raw?.archive ? `tar -xOf ${raw.archive} ${raw.file} | gzip -dc` : `gzip -dc ${raw?.file}`}`,
        ]
      : []
  const reason = /^(market|account)\./.test(relation)
    ? ': the record of this row could not be identified'
    : ''
  return [section(`Page as received${reason}`, [body.slice(0, SHOWN), ...more])]
}

/** Run, revisions and findings. Derived candles have none, because they are not stored. */
function history(trace: Trace): string[] {
  const run = trace.run ? fields(trace.run, RUN) : ['not in the ledger']
  return [section('Run', run), revisions(trace), findings(trace)]
}

function derivation({ bars, summary, pages }: NonNullable<Trace['derivedFrom']>): string[] {
  const files = pages.map(({ request_id, received_at, raw_file }) =>
    [request_id, cell(received_at, 'received_at'), raw_file].map(String),
  )
  const pageList = section('Pages', [renderPages(files)])
  if (summary)
    return [
      'Derived: the daily summary of its session; not stored as a bar',
      section('Daily summary', fields(summary)),
      pageList,
    ]
  const shown = ['local_time', 'open', 'high', 'low', 'close', 'volume', 'value', 'request_id']
  const columns = shown.map((title) => ({ title, right: title !== 'local_time' && title !== 'request_id' }))
  const rows = bars.map((bar) => shown.map((name) => cell(bar[name], name)))
  return [
    `Derived: computed from ${counted(bars.length, '1m bar')} of ${counted(pages.length, 'page')}; not stored`,
    section('Bars', [renderTable(columns, rows)]),
    pageList,
  ]
}

function renderPages(files: readonly (readonly string[])[]): string {
  const widths = [0, 1].map((index) => width(files.map((file) => file[index] ?? '')))
  return files.map((file) => file.map((text, index) => text.padEnd(widths[index] ?? 0)).join('  ')).join('\n')
}

function revisions({ relation, revisions: all }: Trace): string {
  if (all.length === 0) {
    const recorded = relations.some(
      ({ name, layout, volatile }) =>
        name === relation && layout === 'session' && volatile.includes('loaded_at'),
    )
    return section('Revisions', [recorded ? 'none: the row never changed' : 'not recorded for this relation'])
  }
  const columns = columnsOf('observed_at', 'column', 'old', 'new', 'request_id')
  const rows = all.map((revision) => [
    cell(revision.observed_at, 'observed_at'),
    revision.column === '*' ? 'withdrawn' : revision.column,
    revision.old ?? '',
    revision.new ?? '',
    revision.request_id,
  ])
  return section('Revisions, oldest first', [renderTable(columns, rows)])
}

function findings({ findings: all }: Trace): string {
  if (all.length === 0) return section('Findings', ['none: no rule names this row'])
  const lines = all.flatMap((finding) => [
    `rule ${finding.rule} (${finding.severity}, ${finding.state}): ${finding.title}`,
    `  expected ${finding.expected ?? 'nothing'}, actual ${finding.actual ?? 'nothing'}; since ${shownInstant(finding.since)}`,
    ...(finding.accepted === null ? [] : [`  overridden: ${finding.accepted}`]),
  ])
  return section('Findings', lines)
}

function section(title: string, lines: readonly string[]): string {
  return [title, ...lines.flatMap((line) => line.split('\n')).map((line) => `  ${line}`)].join('\n')
}

function fields(values: Readonly<Record<string, unknown>>, names = Object.keys(values)): string[] {
  const widest = width(names)
  return names.map((name) => `${name.padEnd(widest)}  ${cell(values[name], name)}`.trimEnd())
}

/** Instants of our own columns in exchange time; everything else, and every raw record, as it is. */
function cell(value: unknown, name = ''): string {
  if (value === null || value === undefined) return ''
  return INSTANT_COLUMN.test(name) ? instant(String(value)) : String(value)
}

/** Text of the service may look like an instant: only columns whose type is one are shown as such. */
const INSTANT_COLUMN = /(_at|^as_of)$/

/** A fraction of a second stays: it distinguishes rows of a key. */
function instant(text: string): string {
  const [, fraction = ''] = /:\d\d(\.\d+)/.exec(text) ?? []
  return fraction ? shownInstant(text).replace(/ UTC/, `${fraction} UTC`) : shownInstant(text)
}

function width(texts: readonly string[]): number {
  return Math.max(0, ...texts.map((text) => text.length))
}
