import { join } from 'node:path'
import type { Database } from '../duckdb/open.js'
import { literal, sqlTemplate } from '../duckdb/sqlfile.js'
import { preparedColumns, prepareToRead } from '../duckdb/statement.js'
import { asSubquery } from '../duckdb/streaming.js'
import type { Effects } from '../effects.js'
import { type Manifest, type ManifestColumn, readManifest } from '../lake/manifest.js'
import { createOwnView, MINE, type OwnSql, type OwnView } from '../lake/own-views.js'
import { scan } from '../lake/relation-view.js'
import { readsOf } from '../mart/objects.js'
import { bindEach } from './bind-each.js'
import { type BoundRule, bindRule } from './bind-rule.js'
import { type Fault, faultOf } from './fault.js'
import { inOrder } from './order.js'
import { type OwnFile, type OwnKind, ownFile, readOwnFiles } from './own-files.js'
import type { OwnProblem } from './problem.js'
import { openScratch } from './scratch.js'
import { storedStatement } from './stored-columns.js'
import { headOf } from './view-head.js'
import { type BoundWatch, bindWatch } from './watches/bind-watch.js'

/** The user's own views and tables, each after those that it reads, and what is wrong with the files. */
export interface BoundSql {
  readonly own: readonly OwnSql[]
  /** Rules of the user's own that bind. */
  readonly rules: readonly BoundRule[]
  /** Watches of the user's own that bind. */
  readonly watches: readonly BoundWatch[]
  readonly problems: readonly OwnProblem[]
}

export const NOTHING_OWN: BoundSql = { own: [], rules: [], watches: [], problems: [] }

/**
 * Binds each file of the user's own in a catalog without rows. One that fails keeps the version that was published last; what
 * reads it goes on with that. Nothing is run and no file is read: a statement is only bound. DuckDB computes constants then, which
 * can take any time: `OwnProcess` has it done apart.
 *
 * @param refused what is wrong with files that are not to be bound
 * @param onFile called before a file is bound
 */
export async function bindHere(
  home: string,
  effects: Pick<Effects, 'disk'>,
  refused: ReadonlyMap<string, string> = new Map(),
  onFile: (file: string) => void = () => {},
): Promise<BoundSql> {
  const read = readOwnFiles(home, ['view', 'table', 'rule', 'watch'])
  if (read.files.length === 0 && read.problems.length === 0) return NOTHING_OWN
  const { files, unread } = withoutDoubles(read)
  const former = await publishedLast(home)
  const filesOf = (...kinds: OwnKind[]): OwnFile[] => files.filter(({ kind }) => kinds.includes(kind))
  const { placed, cycles } = inOrder(filesOf('view', 'table'))
  using scratch = await openScratch(home, async () => {}, effects)
  const { database } = scratch
  const relations: OwnSql[] = []
  const problems: OwnProblem[] = []
  const fail = async (file: string, fault: Fault): Promise<void> => {
    const published = former.find(({ relation: { kind, name } }) => ownFile(kind, name) === file)
    const isKept = published !== undefined && (await canCreate(database, published))
    if (isKept) relations.push(published.relation)
    const outcome = isKept ? { keepsFormer: true } : { losesFormer: true }
    problems.push({ file, ...fault, ...(published ? outcome : {}) })
  }
  // First those that stay as they were: what reads them is tried with them.
  for (const { file, ...fault } of unread) await fail(file, fault)
  for (const [{ file }, cycle] of cycles) await fail(file, faultOfCycle(cycle))
  for (const file of placed) {
    const wrong = refused.get(file.file)
    if (wrong !== undefined) {
      await fail(file.file, { line: undefined, wrong, next: undefined })
      continue
    }
    onFile(file.file)
    const view = await bind(database, file)
    if ('wrong' in view) await fail(file.file, view)
    else relations.push(view)
  }
  const binding = { refused, onFile }
  const ofRules = await bindEach<BoundRule>(filesOf('rule'), binding, async (file, before) =>
    bindRule(database, file, before),
  )
  const ofWatches = await bindEach<BoundWatch>(filesOf('watch'), binding, async (file) =>
    bindWatch(database, file),
  )
  problems.push(...ofRules.problems, ...ofWatches.problems)
  return {
    own: relations,
    rules: ofRules.bound,
    watches: ofWatches.bound,
    problems: problems.sort((a, b) => (a.file < b.file ? -1 : 1)),
  }
}

/** A view or table as it was published last; a table with the columns of its file. */
interface Published {
  readonly relation: OwnSql
  readonly columns: readonly ManifestColumn[] | undefined
}

/** The views and tables that were published last. */
export async function formerSql(home: string): Promise<OwnSql[]> {
  return (await publishedLast(home)).map(({ relation }) => relation)
}

async function publishedLast(home: string): Promise<Published[]> {
  const manifest: Partial<Manifest> = (await readManifest(join(home, 'lake'))) ?? {}
  const { own_views = [], own_tables = [], relations = [] } = manifest
  return [
    ...own_tables.map((table): Published => {
      const relation: OwnSql = { kind: 'table', ...table }
      return { relation, columns: relations.find(({ name }) => name === `${MINE}.${table.name}`)?.columns }
    }),
    ...own_views.map((view): Published => ({ relation: { kind: 'view', ...view }, columns: undefined })),
  ]
}

/** A name is that of one file, whatever its kind. Where two have it, the one that comes first in the order of kinds counts. */
function withoutDoubles({ files, problems }: ReturnType<typeof readOwnFiles<OwnKind>>): {
  files: OwnFile[]
  unread: OwnProblem[]
} {
  const first = (name: string): OwnFile | undefined => files.find((file) => file.name === name)
  const doubles = files.flatMap((file) => {
    const other = first(file.name)
    if (!other || other === file) return []
    const wrong = `the name ${file.name} is taken: ${other.file}`
    return [{ file: file.file, line: undefined, wrong, next: 'rename one of the two files' }]
  })
  const isDouble = (file: OwnFile): boolean => first(file.name) !== file
  return { files: files.filter((file) => !isDouble(file)), unread: [...problems, ...doubles] }
}

function faultOfCycle(cycle: readonly string[]): Fault {
  const way = cycle.map((name) => `mine.${name}`).join(' reads ')
  return { line: undefined, wrong: `it cannot rest on itself: ${way}`, next: 'take one of them apart' }
}

/**
 * Creates a version that was published; false where what it reads is gone. A table reads nothing any more: readers have its file.
 */
async function canCreate(database: Database, { relation, columns }: Published): Promise<boolean> {
  const { name, sql } = relation
  return await createOwnView(database, { name, sql: columns ? scan(columns, undefined) : sql }).then(
    () => true,
    () => false,
  )
}

/** Creates a view or table of the user's own, without rows; what is wrong where that fails. */
async function bind(database: Database, { kind, name, text }: OwnFile): Promise<OwnSql | Fault> {
  if (kind !== 'view' && kind !== 'table') throw new TypeError(`a ${kind} is not a relation`)
  try {
    const { text: statement, prepared } = await prepareToRead(database.connection, text)
    const given = asSubquery(statement)
    const sql = kind === 'table' ? storedStatement(given, preparedColumns(prepared)) : given
    await createOwnView(database, { name, sql })
    return { kind, ...(await describe(database, name, sql, text)) }
  } catch (cause) {
    return await faultOf(database, cause, text)
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
