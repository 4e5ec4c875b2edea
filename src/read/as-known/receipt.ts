import { existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { UsageError } from 'candlehouse-foundation/errors'
import { counted } from 'candlehouse-foundation/number-text'
import type { Reader } from '../../duckdb/reader.js'
import { literal, sqlTemplate } from '../../duckdb/sqlfile.js'
import type { Effects } from '../../effects.js'
import { isDevice } from '../../home/disk.js'
import { writeWholeFile } from '../../home/files.js'
import { sha256 } from '../../home/sha256.js'
import { relations } from '../../relations.js'
import { asking, latestPublication } from '../query.js'
import { type KnownCatalog, rowsOfNow } from './known-catalog.js'
import { KNOWN_RELATIONS, REBUILT_TABLES } from './known-relations.js'

/** What of one stored relation a statement could see. Counts are text: a relation may have more rows than a double has digits. */
interface RelationReceipt {
  relation: string
  /** Rows whose values of now had arrived at the instant. */
  known: string
  /** Keys that were changed or withdrawn since, which are read as they were. */
  revised: string
  /** Rows whose values arrived later, restated ones among them: the statement did not see these, also where they are of earlier sessions. */
  later: string
  /** Rows of which a later value had arrived that a broken rule withholds: read as they were published before. */
  withheld: string
  first_session: string | null
  last_session: string | null
  /** Undefined for a relation without symbols and sessions. */
  survivorship?: Survivorship
}

interface Survivorship {
  /** First session of which it is known who was listed; null where none is. */
  first_listed: string | null
  /** Sessions with rows before it: who has rows of them is who was asked for. */
  sessions_before: number
  /** Stocks that were listed in a session with rows, and have none. */
  names_without_rows: number
}

/** The file of `--receipt`; names in snake_case, as in the relations. */
export interface Receipt {
  format: 'candlehouse-receipt'
  format_version: 1
  as_known_on: string
  statement: string
  statement_sha256: string
  publication: number
  published_at: string
  written_at: string
  /** Relations with history that the statement rests on. */
  relations: RelationReceipt[]
  /** Views and macros in between; reference tables among them are those of the package, not of the evening. */
  through: string[]
  /** What a reader must know, in words; empty where nothing is to be said. */
  warnings: string[]
}

/** Relations of symbols and sessions, of which it can be asked whether only those that survived have rows. */
const OF_SYMBOLS: readonly string[] = ['market.daily_summary', 'market.candle']

/** Their rows say of what sessions it was known who was listed. */
const LISTS = 'market.price_limit'

/**
 * Says what a statement read as it was known at an instant, and what it could not see: of the catalog on which it ran, whatever
 * was published since.
 *
 * @param instant ISO, with a zone
 */
export async function writeReceipt(
  { reader, reads, notes }: KnownCatalog,
  file: string,
  { sql, instant }: { sql: string; instant: string },
  effects: Pick<Effects, 'disk' | 'now'>,
): Promise<Receipt> {
  const publication = await latestPublication(asking(reader))
  const lists = reads.has(LISTS) ? rowsOfNow(LISTS) : LISTS
  const known: RelationReceipt[] = []
  for (const relation of KNOWN_RELATIONS)
    if (reads.has(relation)) known.push(await ofRelation(reader, relation, instant, lists))
  const receipt: Receipt = {
    format: 'candlehouse-receipt',
    format_version: 1,
    as_known_on: instant,
    statement: sql,
    statement_sha256: sha256(sql),
    publication: publication?.id ?? 0,
    published_at: publication?.publishedAt ?? '',
    written_at: new Date(effects.now()).toISOString(),
    relations: known,
    through: [...reads].filter((name) => !known.some(({ relation }) => relation === name)).sort(),
    warnings: [...notes, ...known.flatMap(warningsOf), ...warningsOfEvents(reads)],
  }
  const text = `${JSON.stringify(receipt, null, 2)}\n`
  await writeWholeFile(file, text, { mode: 0o644, hint: 'choose another file with --receipt' }, effects.disk)
  return receipt
}

/**
 * Before anything is read or written: a receipt that cannot be written would end a run whose export has taken its place.
 *
 * @param out what the run writes beside it
 * @throws UsageError
 */
export function requireReceiptFile(file: string | undefined, out?: string): void {
  if (file === undefined) return
  const isFile = !isDevice(file) && (!existsSync(file) || statSync(file).isFile())
  const folder = dirname(file)
  if (isFile && file !== out && existsSync(folder)) return
  const wrong =
    file === out
      ? `${file} is what --out writes`
      : isFile
        ? `${folder} does not exist`
        : `${file} is not a file`
  throw new UsageError(`no receipt can be written: ${wrong}`, {
    hint: 'choose another file with --receipt, in a folder that exists',
  })
}

async function ofRelation(
  reader: Reader,
  name: string,
  instant: string,
  lists: string,
): Promise<RelationReceipt> {
  const ask = asking(reader)
  const { key = [], dated } = relations.find((relation) => relation.name === name) ?? {}
  // Derived bars follow from others.
  const rows = name === 'market.candle' ? `(FROM ${rowsOfNow(name)} WHERE NOT is_derived)` : rowsOfNow(name)
  const parts = { relation: rows, instant: `TIMESTAMPTZ ${literal(instant)}` }
  const [counts] = await ask<Omit<RelationReceipt, 'relation' | 'survivorship'>>(
    sqlTemplate('read/receipt/known_rows.sql', {
      ...parts,
      name: literal(name),
      same_key: await sameKey(reader, rows, key),
      session: dated?.kind === 'date' ? dated.column : 'CAST(NULL AS DATE)',
    }),
  )
  if (!counts) throw new RangeError(`no counts of ${name}`)
  if (!OF_SYMBOLS.includes(name)) return { relation: name, ...counts }
  const [survivorship] = await ask<Survivorship>(
    sqlTemplate('read/receipt/unlisted_sessions.sql', { ...parts, lists }),
  )
  return { relation: name, ...counts, ...(survivorship ? { survivorship } : {}) }
}

/** Whether the key of a revision, an object of JSON, is that of a row. */
async function sameKey(reader: Reader, rows: string, key: readonly string[]): Promise<string> {
  const columns = await reader.describe(`FROM ${rows}`)
  return columns
    .filter(({ name }) => key.includes(name))
    .map(({ name, type }) => `own.${name} = CAST(json_extract_string(arrived.key, '$.${name}') AS ${type})`)
    .join(' AND ')
}

function warningsOf({ relation, known, revised, later, withheld, survivorship }: RelationReceipt): string[] {
  const { first_listed, sessions_before = 0, names_without_rows = 0 } = survivorship ?? {}
  // Rows that were restated since count as later, and are read as they were.
  const isNothing = known === '0' && revised === '0' && later !== '0'
  return [
    ...(isNothing ? [`${relation}: nothing was known yet; ${later} rows arrived later`] : []),
    ...(withheld === '0'
      ? []
      : [
          `${relation}: ${counted(Number(withheld), 'row')} read as published before, since a broken rule withholds what had arrived`,
        ]),
    ...(sessions_before > 0
      ? [
          `${relation}: ${sessions_before} sessions before ${first_listed ?? 'any list'} have rows of who was asked for, not of who was listed`,
        ]
      : []),
    ...(names_without_rows > 0
      ? [`${relation}: ${names_without_rows} stocks that were listed in its sessions have no row`]
      : []),
  ]
}

/** What decides whether a gap between two prices is an adjustment that is missing, and has no history. */
function warningsOfEvents(reads: ReadonlySet<string>): string[] {
  return REBUILT_TABLES.some((table) => reads.has(table))
    ? [
        'adjustment events: whether a session is complete counts as it does now, since ops.coverage has no history',
      ]
    : []
}
