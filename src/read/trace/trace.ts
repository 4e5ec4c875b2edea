import { UsageError } from 'candlehouse-foundation/errors'
import { isTimeframe, minutes } from 'candlehouse-foundation/market/timeframe'
import type { Reader, ResultColumn } from '../../duckdb/reader.js'
import { identifier, literal } from '../../duckdb/sqlfile.js'
import { martObjects } from '../../mart/objects.js'
import { type Relation, relations } from '../../relations.js'
import { didYouMean, readableNames, relationsLike, storedNames } from '../published-names.js'
import { type Ask, asking, withCatalog } from '../query.js'
import { exampleOf, missingRow } from './nearest.js'
import { type Finding, type Revision, readFindings, readRevisions } from './row-history.js'
import { type Key, type KeyShape, keyCondition, readKey, SNAPSHOT } from './row-key.js'
import { type RawFile, readRaw, readRequest, readRun, type TracedPage } from './traced-page.js'
import { cutRecord, type RawRecord } from './traced-record.js'

/** Where one row of the catalog came from. Values are exact, as in `candlehouse sql --json`. */
export interface Trace {
  readonly relation: string
  readonly key: Readonly<Record<string, string>>
  readonly row: Readonly<Record<string, unknown>>
  /** Null for rows that did not come in one page: derived candles, snapshots, findings, materialized tables of mart. */
  readonly page: TracedPage | null
  readonly raw: RawFile | null
  /** Null if the raw file cannot be read, or if the record of the row could not be identified. */
  readonly record: RawRecord | null
  /** The whole page, if the record could not be cut out. */
  readonly body: string | null
  readonly run: Readonly<Record<string, unknown>> | null
  readonly revisions: readonly Revision[]
  readonly findings: readonly Finding[]
  /** Only for derived candles. */
  readonly derivedFrom: Derivation | null
}

export interface KeyDescription {
  readonly relation: string
  readonly key: readonly ResultColumn[]
  /** A command that works, if the relation has a row. */
  readonly example: string
}

/**
 * Traces one row of the published side: row, page, raw record, run, revisions, findings.
 *
 * @param words the key: values in its order, COLUMN=VALUE pairs, or one JSON object
 * @throws UsageError (2) for a relation, a key or a row that does not exist, naming the nearest ones
 * @throws StorageError (6) before the first publication
 */
export async function traceRow(home: string, name: string, words: readonly string[]): Promise<Trace> {
  relationNamed(name)
  return await withCatalog(home, async (reader) => await traceOn(reader, home, name, words))
}

/** As `traceRow`, on a catalog that is open. */
export async function traceOn(
  reader: Reader,
  home: string,
  name: string,
  words: readonly string[],
): Promise<Trace> {
  const relation = relationNamed(name)
  const ask = asking(reader)
  const shape = await shapeOf(reader, relation)
  const key = await withSnapshot(ask, relation, readKey(words, shape))
  const row = await readRow(ask, shape, key)
  const page = typeof row.request_id === 'string' ? await readRequest(ask, row.request_id) : undefined
  const origin = page ? originOf(home, page, relation, row) : { raw: null, record: null, body: null }
  return {
    relation: relation.name,
    key: Object.fromEntries(key),
    row,
    page: page ?? null,
    ...origin,
    run: (await readRun(ask, runOf(row, page))) ?? null,
    revisions: await readRevisions(ask, shape, key),
    findings: await readFindings(ask, shape, key),
    derivedFrom: row.is_derived === true ? await readDerivation(ask, row) : null,
  }
}

/** The columns of a relation's key, with an example. @throws UsageError listing the relations */
export async function describeKey(home: string, name: string): Promise<KeyDescription> {
  const relation = relationNamed(name)
  const { columns, example } = await withCatalog(home, async (reader) => await shapeOf(reader, relation))
  return { relation: relation.name, key: columns, example }
}

/** @throws UsageError listing the relations */
function relationNamed(name: string): Relation {
  const relation = relations.find((candidate) => candidate.name === name)
  if (relation) return relation
  const objects = martObjects()
  const view = objects.find((object) => `mart.${object.name}` === name)
  if (view) {
    const macros = objects.filter(({ kind }) => kind === 'macro').map((macro) => `mart.${macro.name}`)
    const reads = view.reads.filter((read) => !macros.includes(read))
    throw new UsageError(
      `${name} is a view, computed from ${reads.join(', ') || 'a table'}: trace those rows`,
      { hint: `candlehouse trace ${reads[0] ?? 'market.daily_summary'}` },
    )
  }
  const names = storedNames()
  const similar = name ? relationsLike(name, readableNames()) : []
  if (similar.length > 0) {
    throw new UsageError(`there is no relation ${name}${didYouMean(similar)}`, {
      hint: `candlehouse trace ${similar[0]}`,
    })
  }
  throw new UsageError(
    `${name ? `there is no relation ${name}` : 'no relation given'}: use one of ${names.join(', ')}`,
    { hint: 'candlehouse trace market.daily_summary' },
  )
}

async function shapeOf(reader: Reader, relation: Relation): Promise<KeyShape> {
  const names = relation.key.map(identifier).join(', ')
  const columns = await reader.describe(`SELECT ${names} FROM ${relation.name}`)
  const example = await exampleOf(asking(reader), { relation, columns }, new Map())
  return { relation, columns, example }
}

/** Adds the latest snapshot of the account to a key that does not name one. */
async function withSnapshot(ask: Ask, relation: Relation, key: Key): Promise<Key> {
  if (!relation.key.includes(SNAPSHOT) || key.has(SNAPSHOT)) return key
  const [latest] = await ask<{ id: string | null }>(
    `SELECT max(snapshot_id) AS id FROM account.snapshot WHERE account_no = ${literal(key.get('account_no') ?? '')}`,
  )
  return latest?.id ? new Map([...key, [SNAPSHOT, latest.id]]) : key
}

async function readRow(ask: Ask, shape: KeyShape, key: Key): Promise<Record<string, unknown>> {
  const [row] = await ask(
    `SELECT * FROM ${shape.relation.name} WHERE ${keyCondition(key, shape.columns)} LIMIT 1`,
  )
  if (!row) throw await missingRow(ask, shape, key)
  return row
}

/** The run that requested the page; for a row without a page, the run or snapshot that the row names. */
function runOf(row: Readonly<Record<string, unknown>>, page: TracedPage | undefined): string {
  return String(page?.run_id ?? row.run_id ?? row[SNAPSHOT] ?? '')
}

function originOf(
  home: string,
  page: TracedPage,
  relation: Relation,
  row: Readonly<Record<string, unknown>>,
): Pick<Trace, 'raw' | 'record' | 'body'> {
  const { raw, text } = readRaw(home, page)
  if (text === undefined) return { raw, record: null, body: null }
  const record = /^(market|account)\./.test(relation.name)
    ? cutRecord(text, relation.name, relation.key, row)
    : undefined
  return { raw, record: record ?? null, body: record ? null : text }
}

/** What a derived candle is computed from, and the pages that it came in. */
interface Derivation {
  /** 1m bars; empty for a 1d bar. */
  readonly bars: readonly Record<string, unknown>[]
  /** The daily summary of a 1d bar; null for any other. */
  readonly summary: Readonly<Record<string, unknown>> | null
  readonly pages: readonly TracedPage[]
}

/** @param candle a row of the catalog's `market.candle` with `is_derived` */
async function readDerivation(ask: Ask, candle: Readonly<Record<string, unknown>>): Promise<Derivation> {
  return candle.timeframe === '1d' ? await fromSummary(ask, candle) : await fromMinutes(ask, candle)
}

async function fromSummary(ask: Ask, candle: Readonly<Record<string, unknown>>): Promise<Derivation> {
  const from = `FROM market.daily_summary WHERE symbol = ${text(candle.symbol)}
    AND trading_date = CAST(${text(candle.trading_date)} AS DATE)`
  const [summary] = await ask(
    `SELECT symbol, trading_date, open, high, low, close, total_match, total_match_value, request_id ${from}`,
  )
  return { bars: [], summary: summary ?? null, pages: await pagesOf(ask, from) }
}

async function fromMinutes(ask: Ask, candle: Readonly<Record<string, unknown>>): Promise<Derivation> {
  const timeframe = String(candle.timeframe)
  const length = isTimeframe(timeframe) ? minutes(timeframe) : 0
  const opened = `CAST(${text(candle.opened_at)} AS TIMESTAMPTZ)`
  const from = `FROM market.candle WHERE timeframe = '1m' AND symbol = ${text(candle.symbol)}
    AND trading_date = CAST(${text(candle.trading_date)} AS DATE)
    AND opened_at >= ${opened} AND opened_at < ${opened} + INTERVAL ${length} MINUTE`
  return {
    bars: await ask(
      `SELECT opened_at, local_time, open, high, low, close, volume, value, request_id ${from} ORDER BY opened_at`,
    ),
    summary: null,
    pages: await pagesOf(ask, from),
  }
}

async function pagesOf(ask: Ask, from: string): Promise<TracedPage[]> {
  return await ask<TracedPage>(
    `SELECT * FROM ops.request WHERE request_id IN (SELECT request_id ${from}) ORDER BY request_id`,
  )
}

function text(value: unknown): string {
  return literal(String(value))
}
