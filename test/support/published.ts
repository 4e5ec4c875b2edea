import { readdirSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Timeframe } from 'candlehouse-foundation/market/timeframe'
import type { Database } from '../../src/duckdb/open.js'
import type { Effects } from '../../src/effects.js'
import { readManifest } from '../../src/lake/manifest.js'
import { type Publication, publish } from '../../src/publish/index.js'
import { objectsOf, openCatalog } from '../../src/read/query.js'
import { onEnd } from './cleanup.js'
import { type FakeEffects, fakeEffects } from './effects.js'
import type { TestWalk } from './landed.js'

/** Time, open, high, low, close, volume, value: as the API writes them. */
export type Bar = readonly [
  time: string,
  open: string,
  high: string,
  low: string,
  close: string,
  volume: string,
  value: string,
]

const DULL = ['27000', '27100', '26950', '27050', '1200', '32460000'] as const

/** A walk over one symbol's session; times alone give dull bars. */
export function candleWalk(
  symbol: string,
  day: string,
  bars: readonly (Bar | string)[],
  timeframe: Timeframe = '1m',
): TestWalk {
  const data = bars.map((each) => {
    const [time, open, high, low, close, volume, value] = typeof each === 'string' ? [each, ...DULL] : each
    return {
      symbol,
      tradingDate: `${day.replaceAll('-', '/')} ${time}`,
      open,
      high,
      low,
      close,
      volume,
      value,
    }
  })
  return { window: { dataset: 'ohlc', key: symbol, timeframe, from: day, to: day }, bodies: [{ data }] }
}

/** A walk over the list of indexes. */
export function indexWalk(day: string, ...codes: string[]): TestWalk {
  const data = codes.map((index) => ({ index, indexName: `${index} Index`, board: 'HOSE' }))
  return { window: { dataset: 'indexes', key: '*', timeframe: '', from: day, to: day }, bodies: [{ data }] }
}

/** A walk over price limits of one session; every symbol the same. */
export function limitWalk(day: string, ...symbols: string[]): TestWalk {
  const data = symbols.map((symbol) => ({
    symbol,
    exchange: 'HOSE',
    tradingDate: day.replaceAll('-', '/'),
    ceiling: '28900',
    floor: '25150',
    refPrice: '27000',
  }))
  return {
    window: { dataset: 'masterdata', key: '*', timeframe: '', from: day, to: day },
    bodies: [{ data }],
  }
}

/** A walk over the daily summaries of one session; every symbol the same, as dull as a bar of `candleWalk`. */
export function summaryWalk(day: string, ...symbols: string[]): TestWalk {
  const [open, high, low, close, totalMatch, totalMatchValue] = DULL
  const data = symbols.map((symbol) => ({
    symbol,
    tradingDate: day.replaceAll('-', '/'),
    open,
    high,
    low,
    close,
    totalMatch,
    totalMatchValue,
  }))
  return {
    window: { dataset: 'securitiesSummary', key: '*', timeframe: '', from: day, to: day },
    bodies: [{ data }],
  }
}

/** Noon UTC of the day after the sessions that the tests use. */
export function evening(): FakeEffects {
  return fakeEffects(Date.parse('2025-06-30T12:00:00Z'))
}

export async function publishTest(
  warehouse: Database,
  home: string,
  effects: Effects = evening(),
): Promise<Publication> {
  return await publish(warehouse, home, { runId: 'test-run', retainDays: 7 }, effects)
}

/** The catalog that was asked last: opening one takes longer than most questions. */
let open: { readonly reader: ReturnType<typeof openCatalog>; readonly of: string } | undefined

async function closeCatalog(): Promise<void> {
  const last = open
  open = undefined
  await last?.reader.then((reader) => reader.close()).catch(() => undefined)
}

/**
 * What a statement returns on the published catalog, as objects. It is planned once; an analyst's is checked and streamed, which takes three
 * plans (`test/read/query.test.ts`).
 */
export async function ask(home: string, sql: string): Promise<Record<string, unknown>[]> {
  // A publication replaces the file.
  const file = statSync(join(home, 'catalog.duckdb'), { throwIfNoEntry: false })
  const of = `${home} ${file?.ino} ${file?.ctimeMs}`
  if (open?.of !== of) {
    await closeCatalog()
    open = { reader: openCatalog(home), of }
    onEnd(closeCatalog)
  }
  return await objectsOf(await open.reader, sql)
}

/** Partition to file of the live files of a relation, as the catalog lists them. */
export async function liveFiles(home: string, relation: string): Promise<Record<string, string>> {
  const rows = await ask(
    home,
    `SELECT partition, file FROM ops.lake_file WHERE relation = '${relation}' ORDER BY partition`,
  )
  return Object.fromEntries(rows.map((row) => [String(row.partition), String(row.file)]))
}

/** Partition to the publication that wrote its file. */
export async function publicationsOf(home: string, relation: string): Promise<Record<string, number>> {
  const manifest = await readManifest(join(home, 'lake'))
  const files = manifest?.relations.find((each) => each.name === relation)?.files ?? []
  return Object.fromEntries(files.map((file) => [file.partition, file.publication]))
}

/** Files below a folder, relative, sorted. */
export function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort()
}

/** What changes when a file is written again: its inode and the time it was changed. */
export function stamps(folder: string): Record<string, string> {
  return Object.fromEntries(
    filesBelow(folder).map((file) => {
      const { ino, ctimeMs } = statSync(join(folder, file))
      return [file, `${ino} ${ctimeMs}`]
    }),
  )
}
