import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { LockedError } from 'candlehouse-foundation/errors'
import { type Database, openDatabase } from '../duckdb/open.js'
import { literal } from '../duckdb/sqlfile.js'
import { makeReaderFolder } from '../home/home.js'
import { isPublished, MANIFEST, type Manifest, parseManifest } from './manifest.js'

/** A loaded page as `ops.request` has it. */
export interface LedgerPage {
  readonly request_id: string
  readonly dataset: string
  readonly walk: string
  readonly page: number
  readonly sha256: string
  /** Relative to the home. */
  readonly raw_file: string
  /** JSON. */
  readonly query: string
  /** YYYY-MM-DD, UTC. */
  readonly received_on: string
}

/** A record of the loaded pages that does not come from the journals. */
export interface PageLedger {
  /** What it is, for messages. */
  readonly name: string
  /** Loaded pages by run and dataset, runs ascending. */
  counts(): Promise<readonly PageCount[]>
  pagesOf(run: string): Promise<readonly LedgerPage[]>
}

export interface PageCount {
  readonly run_id: string
  readonly dataset: string
  readonly pages: number
}

/** What was read of the ledgers of a home, and why others were not. */
export interface Ledgers<Ledger> {
  readonly all: readonly Ledger[]
  /** Why the warehouse or the published lake was not read; one line for each that is there. */
  readonly unreadable: readonly string[]
}

/** The ledger of an open warehouse. */
export function warehouseLedger(warehouse: Database): PageLedger {
  return ledgerOf('the warehouse', warehouse, 'ops.request')
}

/** Numbers of loaded pages as the warehouse and the published lake of a home have them, as far as they are there and readable. */
export async function countLedgers(home: string): Promise<Ledgers<Omit<PageLedger, 'pagesOf'>>> {
  using database = await openDatabase(':memory:')
  return await readLedgers(home, database, async (name, source) => {
    const counts = await countsOf(database, source)
    return { name, counts: async () => counts }
  })
}

/**
 * As `countLedgers`, with the pages. The ledger of the warehouse is copied, so that a run that begins meanwhile finds it unlocked:
 * to a file, since five years of the whole market are two million pages, a gigabyte in memory.
 */
export async function openPageLedgers(home: string): Promise<Ledgers<PageLedger> & Disposable> {
  const folder = makeReaderFolder(home)
  const file = folder === undefined ? ':memory:' : join(folder, 'ledger.duckdb')
  const copy = await openDatabase(file, { spill: folder, memoryLimit: COPY_MEMORY })
  const ledgers = await readLedgers(home, copy, async (name, source) => {
    if (source !== OF_WAREHOUSE) return ledgerOf(name, copy, source)
    await copy.run(`CREATE TABLE ledger AS SELECT ${COLUMNS} FROM ${source}`)
    return ledgerOf(name, copy, 'ledger')
  })
  return { ...ledgers, [Symbol.dispose]: () => copy.close() }
}

const COPY_MEMORY = '256MB'

const OF_WAREHOUSE = 'warehouse.ops.request'

/**
 * @param database any open one
 * @param read gets the name of a ledger and what to read it from; the warehouse is locked meanwhile
 */
async function readLedgers<Ledger>(
  home: string,
  database: Database,
  read: (name: string, source: string) => Promise<Ledger>,
): Promise<Ledgers<Ledger>> {
  const all: Ledger[] = []
  const unreadable: string[] = []
  const warehouse = join(home, 'warehouse.duckdb')
  if (existsSync(warehouse)) {
    try {
      const opened = await openDatabase(warehouse, { readOnly: true, threads: 1 })
      opened.close()
      await database.run(`ATTACH ${literal(warehouse)} AS warehouse (READ_ONLY)`)
      try {
        all.push(await read('the warehouse', OF_WAREHOUSE))
      } finally {
        await database.run('DETACH warehouse')
      }
    } catch (error) {
      const [why] =
        error instanceof LockedError ? ['a run has it locked'] : (error as Error).message.split('\n')
      unreadable.push(`the warehouse: ${why}`)
    }
  }
  const published = await publishedSource(home, database)
  if (published?.source !== undefined) all.push(await read(PUBLISHED, published.source))
  else if (published) unreadable.push(`${PUBLISHED}: ${published.unreadable}`)
  return { all, unreadable }
}

const PUBLISHED = 'the published lake'

/**
 * The pages that the published lake names: what is left where the warehouse is lost. Undefined where nothing is published,
 * a text where it cannot be read.
 *
 * @param database any open one: it reads the lake's files
 */
export async function publishedLedger(
  home: string,
  database: Database,
): Promise<PageLedger | string | undefined> {
  const published = await publishedSource(home, database)
  if (published?.source === undefined) return published?.unreadable
  return ledgerOf(PUBLISHED, database, published.source)
}

/** What reads the pages that the published lake names, as SQL, or why nothing can. */
type PublishedSource = { readonly source: string } | { readonly source?: never; readonly unreadable: string }

async function publishedSource(home: string, database: Database): Promise<PublishedSource | undefined> {
  const lake = join(home, 'lake')
  if (!isPublished(home)) return undefined
  const files = (await filesOfCatalog(home)) ?? (await filesOfManifest(lake))
  if (files === undefined) return { unreadable: 'neither the catalog nor manifest.json can be read' }
  const paths = files.map((file) => join(lake, file))
  const missing = paths.filter((path) => !existsSync(path))
  if (missing.length > 0) return { unreadable: `${missing[0]} is gone` }
  if (paths.length === 0) return undefined
  const source = `read_parquet([${paths.map(literal).join(', ')}], hive_partitioning = false, union_by_name = true)`
  try {
    await database.rows(`SELECT count(sha256) AS n FROM ${source}`)
  } catch (error) {
    return { unreadable: (error as Error).message.split('\n')[0] ?? '' }
  }
  return { source }
}

/** Files of `ops.request` that the catalog reads; undefined where it cannot be read. */
async function filesOfCatalog(home: string): Promise<string[] | undefined> {
  const catalog = join(home, 'catalog.duckdb')
  if (!existsSync(catalog)) return undefined
  try {
    using database = await openDatabase(catalog, { readOnly: true, threads: 1 })
    return await database.column<string>(
      "SELECT file FROM ops.lake_file WHERE relation = 'ops.request' ORDER BY file",
    )
  } catch {
    return undefined
  }
}

async function filesOfManifest(lake: string): Promise<string[] | undefined> {
  const text = await readFile(join(lake, MANIFEST), 'utf8').catch(() => '')
  const manifest: Manifest | undefined = parseManifest(text)
  const relation = manifest?.relations.find(({ name }) => name === 'ops.request')
  return relation?.files.map(({ path }) => path)
}

const COLUMNS = 'request_id, run_id, dataset, walk, page, sha256, raw_file, query, received_at'

async function countsOf(database: Database, source: string): Promise<PageCount[]> {
  const rows = await database.rows<{ run_id: string; dataset: string; pages: bigint }>(
    `SELECT run_id, dataset, count(*) AS pages FROM ${source} GROUP BY ALL ORDER BY ALL`,
  )
  return rows.map((row) => ({ ...row, pages: Number(row.pages) }))
}

function ledgerOf(name: string, database: Database, source: string): PageLedger {
  return {
    name,
    counts: async () => await countsOf(database, source),
    pagesOf: async (run) =>
      await database.rows<LedgerPage>(
        `SELECT ${COLUMNS}, strftime(received_at, '%Y-%m-%d') AS received_on FROM ${source}
         WHERE run_id = ? ORDER BY request_id`,
        [run],
      ),
  }
}

/** What several ledgers know together. */
export interface KnownPages {
  /** Runs that loaded a page, ascending. */
  readonly runs: readonly string[]
  pagesOf(run: string): Promise<ReadonlyMap<string, LedgerPage>>
}

/** @throws StorageError if a ledger cannot be read */
export async function knownPages(ledgers: readonly PageLedger[]): Promise<KnownPages> {
  const runs = new Set<string>()
  for (const ledger of ledgers) for (const { run_id } of await ledger.counts()) runs.add(run_id)
  return {
    runs: [...runs].sort(),
    async pagesOf(run) {
      const pages = new Map<string, LedgerPage>()
      if (!runs.has(run)) return pages
      for (const ledger of ledgers)
        for (const page of await ledger.pagesOf(run))
          if (!pages.has(page.request_id)) pages.set(page.request_id, page)
      return pages
    },
  }
}
