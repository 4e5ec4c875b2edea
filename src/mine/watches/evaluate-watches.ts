import { join } from 'node:path'
import { StorageError } from 'candlehouse-foundation/errors'
import { counted } from 'candlehouse-foundation/number-text'
import { visible } from 'candlehouse-foundation/visible'
import { identifier, literal, sqlTemplate } from '../../duckdb/sqlfile.js'
import type { Effects } from '../../effects.js'
import { openTempFolder } from '../../home/home.js'
import { readLogFile, writeLogFile } from '../../home/log-files.js'
import { readManifest } from '../../lake/manifest.js'
import type { WatchedRow, WatchedRows } from '../../night/watched-rows.js'
import { ownFile, readOwnFiles } from '../own-files.js'
import { type OwnProcess, ROW_LIMITS } from '../own-process.js'
import type { OwnProblem } from '../problem.js'
import type { BoundWatch } from './bind-watch.js'
import { tracedRelation, traceOf } from './row-trace.js'
import { watchHeadOf } from './watch-head.js'
import { appendBatches, newBatch, readBatches, undelivered, type WatchBatch } from './watch-record.js'

/** What all watches together may take: a publication waits for them. */
const ALL_MS = 120_000

/** Characters of a value that are recorded. */
const TEXT = 200

export interface EvaluatedWatches {
  /** Rows to report: new ones, and those of runs that ended before they delivered them. */
  readonly watches: readonly WatchedRows[]
  readonly notes: readonly string[]
  readonly problems: readonly OwnProblem[]
}

export interface RunOfWatches {
  readonly home: string
  readonly runId: string
  readonly apart: OwnProcess
  /** Gives the rows of a watch, within this time. @default `computeRows` */
  readonly rowsOf?: typeof computeRows
}

/** In `logs/`: which publication was evaluated last. Without it one is evaluated twice, which changes nothing. */
const EVALUATED = 'watches.json'

/**
 * Evaluates the publication that a killed run has made and not evaluated, before another one takes its place. A watch begins
 * with the publication after it was written.
 */
export async function evaluateMissed(
  bound: readonly BoundWatch[],
  run: RunOfWatches,
  effects: Effects,
): Promise<void> {
  if (bound.length === 0) return
  const former = await publicationOf(run.home)
  if (former === null || readLogFile<Evaluated>(run.home, EVALUATED)?.publication === former) return
  try {
    const begun = new Set(readBatches(run.home).map(({ watch }) => watch))
    await evaluateWatches(
      bound.filter(({ name }) => begun.has(name)),
      run,
      effects,
    )
  } catch (cause) {
    if (!(cause instanceof StorageError)) throw cause
    // The evaluation after the publication reports it.
  }
}

interface Evaluated {
  readonly publication: number
}

async function publicationOf(home: string): Promise<number | null> {
  return (await readManifest(join(home, 'lake')))?.publication ?? null
}

async function markEvaluated(home: string, effects: Effects): Promise<void> {
  const publication = await publicationOf(home)
  if (publication === null) return
  await writeLogFile(home, EVALUATED, { publication } satisfies Evaluated, effects)
}

/**
 * Evaluates each watch on the published catalog and records its new rows before anybody reports them. It never throws for a
 * watch: what is wrong with one is a problem, and what the disk refuses is a note, and both come with the next publication.
 */
export async function evaluateWatches(
  bound: readonly BoundWatch[],
  run: RunOfWatches,
  effects: Effects,
): Promise<EvaluatedWatches> {
  const titles = titlesOf(run.home)
  if (titles.size === 0) return { watches: [], notes: [], problems: [] }
  const problems: OwnProblem[] = []
  try {
    const record = readBatches(run.home)
    const batches = await evaluateAll(bound, record, run, problems, effects)
    await appendBatches(run.home, batches, effects)
    await markEvaluated(run.home, effects)
    return { watches: undelivered(run.home, titles), notes: batches.flatMap(beginLine), problems }
  } catch (cause) {
    if (!(cause instanceof StorageError)) throw cause
    return { watches: [], notes: [`watches are not reported: ${cause.message}`], problems }
  }
}

/** Of every file: one that no longer binds may have rows that were not delivered. */
function titlesOf(home: string): Map<string, string> {
  const { files } = readOwnFiles(home, ['watch'])
  return new Map(files.map(({ name, text }) => [name, watchHeadOf(text, name).title]))
}

async function evaluateAll(
  bound: readonly BoundWatch[],
  record: readonly WatchBatch[],
  run: RunOfWatches,
  problems: OwnProblem[],
  effects: Effects,
): Promise<WatchBatch[]> {
  const batches: WatchBatch[] = []
  const began = effects.monotonic()
  for (const watch of bound) {
    const ms = Math.min(ROW_LIMITS.ms, ALL_MS - (effects.monotonic() - began))
    const rows =
      ms <= 0
        ? { wrong: `the watches before it took ${ALL_MS / 1000} s` }
        : await (run.rowsOf ?? computeRows)(watch, run, ms)
    if ('wrong' in rows) {
      const [wrong = ''] = rows.wrong.split('\n')
      problems.push({ file: watch.file, line: undefined, wrong, next: undefined })
      continue
    }
    const at = new Date(effects.now()).toISOString()
    const batch = newBatch(record, { watch: watch.name, key: watch.key, rows, run: run.runId, at })
    if (batch) batches.push(batch)
  }
  return batches
}

/** Computes the rows of a watch apart, as short texts. */
async function computeRows(
  { name, key, columns, sql }: BoundWatch,
  { home, apart }: Pick<RunOfWatches, 'home' | 'apart'>,
  ms: number,
): Promise<WatchedRow[] | { readonly wrong: string }> {
  using folder = openTempFolder(home)
  const text = (column: string): string => `CAST(${identifier(column)} AS VARCHAR)`
  const statement = sqlTemplate('mine/watch_rows.sql', {
    name: literal(name),
    key: key.map(text).join(', '),
    texts: columns.map((column, at) => `left(${text(column.name)}, ${TEXT}) AS c${at}`).join(', '),
    statement: sql,
  })
  const place = { catalog: join(home, 'catalog.duckdb'), lake: join(home, 'lake'), folder: folder.path }
  const limits = { ...ROW_LIMITS, ms }
  const result = await apart.run({ ...place, sql: statement, file: undefined, limits })
  if ('wrong' in result) return result
  const relation = tracedRelation(sql, columns)
  return result.rows.map(([id, ...values]) => {
    const texts = new Map(columns.map((column, at) => [column.name, values[at] ?? null]))
    return { id: id ?? '', text: textOf(texts), trace: traceOf(relation, columns, texts) }
  })
}

/** One line that a terminal, a report and a notification can show. */
function textOf(texts: ReadonlyMap<string, string | null>): string {
  return [...texts].map(([name, text]) => `${name} ${visible(text ?? 'null')}`).join(', ')
}

function beginLine({ watch, begins, ids }: WatchBatch): string[] {
  if (!begins) return []
  const file = ownFile('watch', watch)
  return [`${file} begins: what it has already (${counted(ids.length, 'row')}) is not reported, new rows are`]
}
