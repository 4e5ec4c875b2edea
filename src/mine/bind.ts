import { join } from 'node:path'
import { UsageError } from 'candlehouse-foundation/errors'
import type { Database } from '../duckdb/open.js'
import { literal, sqlTemplate } from '../duckdb/sqlfile.js'
import { prepareToRead } from '../duckdb/statement.js'
import { asSubquery } from '../duckdb/streaming.js'
import type { Effects } from '../effects.js'
import { readManifest } from '../lake/manifest.js'
import { createOwnView, type OwnView } from '../lake/own-views.js'
import { readsOf } from '../mart/objects.js'
import { inOrder } from './order.js'
import { type OwnFile, readOwnFiles, viewFile } from './own-files.js'
import type { OwnProblem } from './problem.js'
import { openScratch } from './scratch.js'
import { headOf } from './view-head.js'

/** The user's own views that readers get, each after those that it reads, and what is wrong with the files. */
export interface BoundViews {
  readonly views: readonly OwnView[]
  readonly problems: readonly OwnProblem[]
}

/** What is wrong with the statement of a file. */
type Fault = Pick<OwnProblem, 'line' | 'wrong' | 'next'>

/**
 * Binds each file of the user's own in a catalog without rows. One that fails keeps the version that was published last; what
 * reads it goes on with that. Nothing is run and no file is read: a statement is only bound.
 */
export async function bindOwnSql(home: string, effects: Pick<Effects, 'disk'>): Promise<BoundViews> {
  const { files, problems: unread } = readOwnFiles(home)
  if (files.length === 0 && unread.length === 0) return { views: [], problems: [] }
  const { own_views: former = [] } = (await readManifest(join(home, 'lake'))) ?? {}
  const { placed, cycles } = inOrder(files)
  using scratch = await openScratch(home, async () => {}, effects)
  const { database } = scratch
  const views: OwnView[] = []
  const problems: OwnProblem[] = []
  const fail = async (file: string, fault: Fault): Promise<void> => {
    const kept = await restore(database, former, file)
    if (kept) views.push(kept)
    problems.push({ file, ...fault, ...(kept ? { keepsFormer: true } : {}) })
  }
  // First those that stay as they were: what reads them is tried with them.
  for (const { file, ...fault } of unread) await fail(file, fault)
  for (const [{ file }, cycle] of cycles) await fail(file, faultOfCycle(cycle))
  for (const file of placed) {
    const view = await bind(database, file)
    if ('wrong' in view) await fail(file.file, view)
    else views.push(view)
  }
  return { views, problems: problems.sort((a, b) => (a.file < b.file ? -1 : 1)) }
}

function faultOfCycle(cycle: readonly string[]): Fault {
  const way = cycle.map((name) => `mine.${name}`).join(' reads ')
  return { line: undefined, wrong: `a view cannot rest on itself: ${way}`, next: 'take one of them apart' }
}

/** The version that was published last, where it can be created. */
async function restore(
  database: Database,
  former: readonly OwnView[],
  file: string,
): Promise<OwnView | undefined> {
  const view = former.find(({ name }) => viewFile(name) === file)
  if (!view) return undefined
  return await createOwnView(database, view).then(
    () => view,
    () => undefined,
  )
}

/** Creates a view of the user's own; what is wrong where that fails. */
async function bind(database: Database, { name, text }: OwnFile): Promise<OwnView | Fault> {
  try {
    const reading = await prepareToRead(database.connection, text)
    const sql = asSubquery(reading.text)
    await createOwnView(database, { name, sql })
    return await describe(database, name, sql, text)
  } catch (cause) {
    return faultOf(cause)
  }
}

/** A view with the words of its head. A column without words has those of the columns of its name that the view reads. */
async function describe(database: Database, name: string, sql: string, text: string): Promise<OwnView> {
  const reads = readsOf(sql).map(literal).join(', ') || "''"
  const parts = { name: literal(name), reads }
  const columns = await database.rows<{ name: string; inherited: string | null }>(
    sqlTemplate('mine/described_columns.sql', parts),
  )
  const head = headOf(
    text,
    columns.map((column) => column.name),
  )
  return {
    name,
    comment: head.comment,
    columns: columns.flatMap((column) => {
      const comment = head.columns.get(column.name) ?? column.inherited
      return comment ? [{ name: column.name, comment }] : []
    }),
    sql,
  }
}

/** DuckDB's words: a sentence, then `LINE 3: the line` with a mark below. */
const PLACE = /\n+LINE (\d+): /

const OUTSIDE = /Cannot access|operations are disabled/

function faultOf(cause: unknown): Fault {
  const message = (cause as Error).message.replace(/^Failed to \w+ statements?: /, '')
  const [, line] = PLACE.exec(message) ?? []
  const [words = ''] = message.split(PLACE)
  const hint = cause instanceof UsageError ? cause.hint : undefined
  return {
    line: line === undefined ? undefined : Number(line),
    wrong: OUTSIDE.test(words)
      ? 'it reads a file or an address, which readers of the catalog cannot reach'
      : words.trim().replaceAll(/\s*\n+\s*/g, ' '),
    next: OUTSIDE.test(words) ? 'candlehouse import stores a file of your own' : hint,
  }
}
