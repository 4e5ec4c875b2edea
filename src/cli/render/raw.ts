import { counted } from 'candlehouse-foundation/number-text'
import type { RawVerification } from '../../read/raw.js'
import type { Deleted, Packed } from '../../run/verbs/raw.js'
import { columnsOf, count, renderTable } from './table.js'

/** Paths shown of each kind; the others are counted. */
const SHOWN = 20

export function renderPacked({ before, archives, removed, damaged }: Packed): string {
  if (removed + damaged.length === 0) return `every month before ${before} is packed: there was nothing to do`
  const parts = [`${count(removed)} files are now in ${count(archives.length)} archives`]
  if (archives.length > 0) {
    parts.push(
      renderTable(
        columnsOf('archive', '#pages', '#MB'),
        archives.map(({ archive, pages, bytes }) => [archive, count(pages), megabytes(bytes)]),
      ),
    )
  }
  if (damaged.length > 0) {
    const lines = damaged.map(({ path, wrong }) => `${path}: ${wrong}`)
    parts.push(
      [...list('not packed', lines), '  restore these files from a backup, then pack again'].join('\n'),
    )
  }
  return parts.join('\n\n')
}

export function renderRawVerification(verification: RawVerification): string {
  const { home, pages, inFiles, inArchives, deleted, archives, missing, changed, foreign } = verification
  const gone = deleted > 0 ? `, ${count(deleted)} deleted by raw delete` : ''
  const head = `${home}: ${count(pages)} pages: ${count(inFiles)} files, ${count(inArchives)} in ${count(archives)} archives${gone}`
  return [
    head,
    ...renderLost(verification),
    ...list(
      'damaged journal lines',
      verification.damagedLines.map(({ run, line }) => `raw/journal/${run}.ndjson, line ${line}`),
    ),
    ...list('missing', missing),
    ...list('changed', changed),
    ...list('foreign (named by no journal, replay does not read them)', foreign),
    ...verification.unreadable.map((why) => `not compared with ${why}`),
    ...conclusion(verification),
  ].join('\n')
}

function renderLost({ lost, ledgers }: RawVerification): string[] {
  if (lost.length === 0) return []
  const pages = lost.reduce((sum, loss) => sum + loss.pages, 0)
  const runs = new Set(lost.map(({ run }) => run)).size
  const lines = lost.map(
    (loss) => `run ${loss.run}: ${loss.dataset}, ${counted(loss.pages, 'page')} (${loss.days.join(' to ')})`,
  )
  const head = `lost: ${counted(pages, 'page')} of ${counted(runs, 'run')} that ${ledgersHave(ledgers)}`
  return [head, ...list('by run and dataset', lines)]
}

function conclusion(verification: RawVerification): string[] {
  const { ledgers, lost, isDamaged } = verification
  if (isDamaged)
    return [
      'restore what is missing or changed from a backup; without it, replay refuses to replace stored rows',
      ...(lost.some(({ isOfAccounts }) => isOfAccounts)
        ? ['account snapshots are among it: nobody can fetch them again']
        : []),
    ]
  if (ledgers.length > 0) return [`every page that ${ledgersHave(ledgers)} is there as it was received`]
  return [
    'every page that the journals name is there as it was received; there is no warehouse and no published lake to compare the journals with',
  ]
}

export function renderDeleted({ before, deleted, months }: Deleted): string {
  if (months.length === 0) return `no raw pages of months before ${before}: there is nothing to delete`
  const rows = months.map(({ dataset, month, pages, bytes, from, to }) => [
    dataset,
    month,
    count(pages),
    megabytes(bytes),
    from === to ? from : `${from} to ${to}`,
  ])
  const columns = columnsOf('dataset', 'month', '#pages', '#MB', 'days in the pages')
  return [
    deleted ? 'deleted for good:' : 'this would be deleted for good:',
    renderTable(columns, rows),
    'What the warehouse and the lake hold of these days stays. If the warehouse is lost, replay can no longer rebuild them,\nand the service may no longer serve them: keep a backup of the archives.',
  ].join('\n\n')
}

function list(title: string, paths: readonly string[]): string[] {
  if (paths.length === 0) return []
  const more = paths.length > SHOWN ? [`  … ${count(paths.length - SHOWN)} more (--json names all)`] : []
  return [`${title}: ${count(paths.length)}`, ...paths.slice(0, SHOWN).map((path) => `  ${path}`), ...more]
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1)
}

/** As that of `read/raw.ts`, which needs DuckDB: the help of the program must not load it. */
function ledgersHave(ledgers: readonly string[]): string {
  return `${ledgers.join(' and ')} ${ledgers.length === 1 ? 'has' : 'have'}`
}
