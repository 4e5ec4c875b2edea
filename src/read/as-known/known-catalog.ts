import { join } from 'node:path'
import { StorageError, UsageError } from 'candlehouse-foundation/errors'
import { TIMEFRAMES } from 'candlehouse-foundation/market/timeframe'
import type { ReaderOptions } from '../../duckdb/locked.js'
import { type Database, openDatabase } from '../../duckdb/open.js'
import { openReader, type Reader } from '../../duckdb/reader.js'
import { identifier, literal, sqlTemplate } from '../../duckdb/sqlfile.js'
import type { Effects } from '../../effects.js'
import { copyToWrite } from '../../home/files.js'
import { makeReaderFolder, removeTempFolder } from '../../home/home.js'
import { candleView } from '../../lake/candle-view.js'
import { MINE } from '../../lake/own-views.js'
import { martObjects } from '../../mart/objects.js'
import { isOfCatalog, requireOfCatalog } from '../of-catalog.js'
import { objectsOf, requireCatalog, withCatalog } from '../query.js'
import { namesRead } from '../statement-names.js'
import { readStatementTree } from '../statement-tree.js'
import {
  KNOWN_RELATIONS,
  macrosOf,
  type OwnReads,
  REBUILT_TABLES,
  readsOfStatement,
  type StatementReads,
} from './known-relations.js'

/** Schema of the copy in which the rows of now keep their views. */
const STORED = 'stored'

/** A stored relation with its rows of now, in the copy. */
export const rowsOfNow = (relation: string): string => `${STORED}.${identifier(bareName(relation))}`

const bareName = (relation: string): string => relation.slice(relation.indexOf('.') + 1)

const CANDLE = 'market.candle'

export interface KnownCatalog {
  readonly reader: Reader
  /** Names of the statement and what they rest on. */
  readonly reads: StatementReads['all']
  /** What a reader of the result must know about the instant, in words. */
  readonly notes: readonly string[]
}

/**
 * Opens the published catalog as it was known at an instant, for some statements: a copy of it, in which stored relations are what
 * their rows were then. Views and macros of schema `mart`, and those of the user, read them by name, so that they answer as of then
 * too. Nothing that arrived later is in it; rows that a later night restated or withdrew are as they were.
 *
 * @param instant ISO, with a zone
 * @throws UsageError for a statement that reads a relation without history, naming it and the way to it
 * @throws StorageError before the first publication
 */
export async function withCatalogAsKnown<T>(
  home: string,
  statements: readonly string[],
  instant: string,
  work: (catalog: KnownCatalog) => Promise<T>,
  options: ReaderOptions,
  { disk, now }: Pick<Effects, 'disk' | 'now'>,
): Promise<T> {
  const reads = await requireHistory(home, statements)
  const folder = makeReaderFolder(home)
  if (folder === undefined)
    throw new StorageError('a catalog as of an evening needs a temporary folder, and none can be made', {
      hint: 'make the home, or ~/.cache/candlehouse, writable',
    })
  try {
    const file = join(folder, 'as-known.duckdb')
    copyToWrite(requireCatalog(home), file, disk)
    await turnBack(file, instant, reads)
    using reader = await openReader(file, [join(home, 'lake')], options)
    return await work({ reader, reads, notes: await notesOf(reader, instant, now()) })
  } finally {
    removeTempFolder(folder)
  }
}

async function notesOf(reader: Reader, instant: string, now: number): Promise<string[]> {
  if (Date.parse(instant) > now)
    return [`${instant} is still to come: what arrives until then is not in the result`]
  const [first] = await objectsOf<{ published_at: string | null }>(
    reader,
    'SELECT min(published_at) AS published_at FROM ops.publication',
  )
  if (!first?.published_at || Date.parse(instant) >= Date.parse(first.published_at)) return []
  return [
    `${instant} is before the first publication (${first.published_at}): few rows or none had arrived by then`,
  ]
}

/** What all of the statements read. */
async function requireHistory(home: string, statements: readonly string[]): Promise<KnownCatalog['reads']> {
  return await withCatalog(home, async (reader) => {
    const readsOfOwn = await ownReads(reader)
    const all = new Set<string>()
    for (const sql of statements) {
      const tree = await readStatementTree(reader, sql)
      // Running the statement gives the error of one that DuckDB cannot parse.
      if (!tree) continue
      requireOfCatalog(tree, 'candlehouse sql "show tables"    # names the relations')
      const reads = readsOfStatement(tree, readsOfOwn)
      const [first] = reads.withoutHistory.values()
      if (first) throw withoutHistory(first)
      for (const name of reads.all) all.add(name)
    }
    return all
  })
}

/** What the user's own views name. A table of the user's own is a view of files, which are those of now. */
async function ownReads(reader: Reader): Promise<OwnReads> {
  const views = await objectsOf<{ name: string; text: string }>(
    reader,
    `SELECT ${literal(`${MINE}.`)} || view_name AS name, sql AS text FROM duckdb_views() WHERE schema_name = ${literal(MINE)}`,
  )
  const names = views.map(({ name }) => name)
  const reads = new Map<string, readonly string[] | undefined>()
  for (const { name, text } of views) {
    const tree = await readStatementTree(reader, text.replace(/^CREATE VIEW .*? AS /s, ''))
    reads.set(name, tree && isOfCatalog(tree) ? [...namesRead(tree, names), ...macrosOf(tree)] : undefined)
  }
  return reads
}

function withoutHistory(way: readonly string[]): UsageError {
  const [named, relation] = [way[0], way.at(-1)]
  const rests = named === relation ? '' : `, which ${named} rests on,`
  return new UsageError(`${relation}${rests} has no history: its rows are those of now`, {
    hint: relation?.startsWith(`${MINE}.`)
      ? 'a view with the statement of the table answers as of then: sql/views in the home'
      : `relations with one: ${KNOWN_RELATIONS.join(', ')}, and what rests on these alone`,
  })
}

async function turnBack(file: string, instant: string, reads: ReadonlySet<string>): Promise<void> {
  using catalog = await openDatabase(file)
  const then = `TIMESTAMPTZ ${literal(instant)}`
  const rebuilt = REBUILT_TABLES.filter((name) => reads.has(name))
  // The latest session is that of the daily summaries.
  const needed = new Set([...reads, 'market.daily_summary'])
  const known = KNOWN_RELATIONS.filter((name) => needed.has(name))
  await catalog.run("SET TimeZone = 'UTC'")
  await catalog.transaction(async () => {
    await catalog.run(`CREATE SCHEMA ${STORED}`)
    const kept = [...known, ...(rebuilt.length > 0 ? REBUILT_TABLES : [])]
    for (const relation of kept) await keepStored(catalog, relation)
    await catalog.run(macrosOver(kept).join('\n'))
    for (const relation of known)
      await catalog.run(`CREATE OR REPLACE VIEW ${relation} AS ${queryThen(relation, then)}`)
    for (const table of rebuilt)
      await catalog.run(`CREATE OR REPLACE VIEW ${table} AS ${rebuiltQuery(table, then)}`)
    await setLatestSession(catalog)
  })
}

function rebuiltQuery(table: (typeof REBUILT_TABLES)[number], then: string): string {
  if (table === 'mart.adjustment_event') return `FROM mart.adjustment_event_as_known_on(${then})`
  return `SELECT symbol, ex_date AS trading_date, reason FROM mart.event_and_gap_as_known_on(${then}) WHERE is_gap`
}

/** A date in a catalog: that of then. */
async function setLatestSession(catalog: Database): Promise<void> {
  const [latest] = await catalog.column<string | null>(
    'SELECT CAST(max(trading_date) AS VARCHAR) FROM market.daily_summary',
  )
  const day = latest ? `DATE ${literal(latest)}` : 'CAST(NULL AS DATE)'
  await catalog.run(sqlTemplate('catalog/latest_session.sql', { day }))
}

/** The view over the rows of now, under the same name in schema `stored`. */
async function keepStored(catalog: Database, relation: string): Promise<void> {
  const [text = ''] = await catalog.column<string>(
    `SELECT sql FROM duckdb_views() WHERE schema_name || '.' || view_name = ${literal(relation)}`,
  )
  await catalog.run(text.replace(/^CREATE VIEW \S+/, () => `CREATE VIEW ${rowsOfNow(relation)}`))
}

/** The texts of the macros that rebuild rows of these relations, over the rows of now: DuckDB binds a macro when it creates it. */
function macrosOver(kept: readonly string[]): string[] {
  const isOut = new Set<string>(
    [...KNOWN_RELATIONS, ...REBUILT_TABLES].filter((name) => !kept.includes(name)),
  )
  const texts: string[] = []
  // In their order: a macro that reads one that is out is out too.
  for (const { name, text, reads } of martObjects()) {
    if (!name.endsWith('_as_known_on')) continue
    if (reads.some((read) => isOut.has(read))) isOut.add(`mart.${name}`)
    else texts.push(readingStored(text))
  }
  return texts
}

/** A macro's text that reads the rows of now where its relations are kept. */
function readingStored(text: string): string {
  const names = [...KNOWN_RELATIONS, ...REBUILT_TABLES].map((name) => name.replace('.', '\\.')).join('|')
  return text.replaceAll(new RegExp(`(FROM|JOIN) (?:${names})\\b`, 'g'), (found) =>
    found.replace(/(market|mart)\./, `${STORED}.`),
  )
}

/** Of bars, those that follow from fetched ones are derived as in the catalog. */
function queryThen(relation: string, then: string): string {
  const query = `FROM mart.${bareName(relation)}_as_known_on(${then})`
  if (relation !== CANDLE) return query
  const bars = (condition: string): string => `SELECT * EXCLUDE (local_time) ${query} WHERE ${condition}`
  const scans = { minutes: bars("timeframe = '1m'"), longer: bars("timeframe <> '1m'") }
  return candleView(scans, TIMEFRAMES)
}
