import { StorageError } from 'candlehouse-foundation/errors'
import { refused } from 'candlehouse-foundation/system-fault'
import { openFile } from '../duckdb/attached-file.js'
import type { Database } from '../duckdb/open.js'
import { identifier, literal, sqlFile, sqlTemplate } from '../duckdb/sqlfile.js'
import type { Effects } from '../effects.js'
import { modeInPlaceOf, writeWholeWith } from '../home/files.js'
import { installMart, recordHash } from '../mart/install.js'
import { uncommented } from '../mart/objects.js'
import { relations } from '../relations.js'
import { withheldBars } from './candle-view.js'
import { type CatalogBase, catalogHash, copyBase, showsManifest } from './catalog-base.js'
import type { Manifest, ManifestRelation } from './manifest.js'
import { installOwnViews, isOwnTable, MINE } from './own-views.js'
import { CANDLE, createView, LAKE_VARIABLE, listFiles } from './relation-view.js'

const DAILY = 'market.daily_summary'
const SNAPSHOT = 'account.snapshot'
/** What says which bars are withheld. */
const FINDINGS = ['recon.finding', 'recon.offender']
/** SQL files of the tables that the catalog itself holds. */
const TABLES = ['catalog/lake_file.sql', 'catalog/withheld_bar.sql']

export interface CatalogOptions {
  /** Whether the manifest is known to be new, so that no catalog can show it yet. */
  readonly isNew?: boolean
  /** For a lake in a bucket: the folder on this machine with the same files. */
  readonly boundTo?: string
  /** A former catalog to begin as a copy of; undefined where it is damaged. @default the one that is replaced */
  readonly base?: string | undefined
  /** A database that is open: a copy of a catalog is attached to it, not opened for itself. */
  readonly host?: Database
}

/**
 * Writes the catalog that analysts open: one view per relation over exactly the files of the manifest, by absolute path,
 * with the warehouse's comments, and schema `mart`. It is written to a temporary file, made read-only (0444) and renamed:
 * a reader keeps the catalog it opened, the next reader opens the new one.
 *
 * It starts as a copy of the former catalog, or of the empty one of the build, if only files differ: views stay, and read the
 * lists of files that are written anew. A complete catalog takes 0.7 s, mostly for binding schema `mart`; only the views of
 * all relations take 0.2 s. A catalog that already shows this manifest is left unchanged.
 *
 * @param lake absolute path under which readers see the lake
 * @returns whether it was written; false where it shows this manifest already
 * @throws StorageError if the disk refuses, or if an older version of candlehouse wrote the lake
 */
export async function writeCatalog(
  published: Manifest,
  lake: string,
  catalog: string,
  { isNew = false, boundTo, host, ...more }: CatalogOptions,
  effects: Pick<Effects, 'disk'>,
): Promise<boolean> {
  const manifest = inCatalog(published)
  requireAllRelations(manifest, lake)
  if (!isNew && (await showsManifest(catalog, manifest, lake))) return false
  const former = 'base' in more ? more.base : catalog
  const write = async (temp: string): Promise<void> => {
    const base = await copyBase(former, temp, manifest, lake, host, effects)
    // Schema mart is described from the columns of all databases that are attached.
    const { database, close } = base ?? (await openFile(temp, undefined))
    try {
      if (boundTo !== undefined) await database.run(`SET VARIABLE ${LAKE_VARIABLE} = ${literal(boundTo)}`)
      await database.transaction(() => fillCatalog(database, base, manifest, lake))
    } finally {
      await close()
    }
  }
  try {
    await writeWholeWith(catalog, modeInPlaceOf(catalog), write, effects.disk)
    return true
  } catch (cause) {
    const hint = 'the former catalog is unchanged; free some disk space, then run the same command again'
    throw refused(`write ${catalog}`, cause, hint)
  }
}

/**
 * The relations of a manifest without the tables that follow from views of schema `mart`: the catalog has the views themselves.
 */
function inCatalog(manifest: Manifest): Manifest {
  const names = new Set(relations.map(({ name }) => name))
  return {
    ...manifest,
    relations: manifest.relations.filter(({ name }) => names.has(name) || isOwnTable(name)),
  }
}

/** Relations in an order in which each view finds what it reads: the view of bars reads other relations. */
function viewsInOrder({ relations: all }: Manifest): readonly ManifestRelation[] {
  return [...all.filter(({ name }) => name !== CANDLE), ...all.filter(({ name }) => name === CANDLE)]
}

/** @throws StorageError if an older version wrote the manifest: views would read relations that do not exist */
function requireAllRelations(manifest: Manifest, lake: string): void {
  const published = new Set(manifest.relations.map(({ name }) => name))
  const missing = relations.filter(({ name }) => !published.has(name)).map(({ name }) => name)
  if (missing.length === 0) return
  throw new StorageError(
    `${lake} was published by an older version of candlehouse: ${missing.join(', ')} missing`,
    { hint: 'run candlehouse publish on the machine that writes the lake, then the same command again' },
  )
}

async function createSchemas(catalog: Database, manifest: Manifest): Promise<void> {
  const schemas = new Set(['mart', ...manifest.relations.map(({ name }) => name.split('.')[0] ?? '')])
  await catalog.run([...schemas].map((schema) => `CREATE SCHEMA ${identifier(schema)};`).join('\n'))
}

async function fillCatalog(
  catalog: Database,
  base: CatalogBase | undefined,
  manifest: Manifest,
  lake: string,
): Promise<void> {
  const hash = catalogHash(manifest, lake)
  const isKept = (name: string): boolean => base?.keptLists.has(name) ?? false
  const listed = manifest.relations.filter(({ name }) => !isKept(name))
  if (!base) await createSchemas(catalog, manifest)
  else if (listed.some(({ name }) => isOwnTable(name)))
    await catalog.run(`CREATE SCHEMA IF NOT EXISTS ${MINE}`)
  // Views of relations read them.
  if (!base) for (const table of TABLES) await catalog.run(sqlFile(table))
  for (const relation of listed) await listFiles(catalog, relation, lake)
  for (const relation of viewsInOrder(manifest))
    if (!base?.keptViews.has(relation.name)) await createView(catalog, relation, manifest)
  if (!base) await installMart(catalog, hash)
  else if (base.hash !== hash) await recordHash(catalog, hash)
  if (base?.hash !== hash) await addUserFacts(catalog, manifest)
  await setLatestSession(catalog, manifest)
  await setSessionsOfClosedDays(catalog, manifest)
  if (!FINDINGS.every(isKept)) await setWithheldBars(catalog)
  if (base?.hash !== hash) await installOwnViews(catalog, manifest.own_views ?? [])
  await recordFiles(catalog, listed)
}

/** The packaged calendar and rulebook are in every catalog that this one can begin as a copy of. */
async function addUserFacts(catalog: Database, { calendar_days, market_rules }: Manifest): Promise<void> {
  if (calendar_days)
    await catalog.run(sqlTemplate('catalog/closed_day.sql', { days: literal(JSON.stringify(calendar_days)) }))
  if (market_rules)
    await catalog.run(
      sqlTemplate('catalog/market_rule.sql', { rules: literal(JSON.stringify(market_rules)) }),
    )
}

/** `mart.latest_session()` as a date: DuckDB then knows it while it plans. Only the file that can have it is read. */
async function setLatestSession(catalog: Database, { relations: all }: Manifest): Promise<void> {
  const files = all.find(({ name }) => name === DAILY)?.files.filter(({ rows }) => rows > 0) ?? []
  // 2025-10-31 comes after 2025-10, and that after 2024.
  const [last] = files
    .map(({ partition }) => partition)
    .sort()
    .reverse()
  const first = last === undefined ? '0001-01-01' : `${last}-01-01`.slice(0, 10)
  const [latest] = await catalog.rows<{ day: string | null }>(
    `SELECT CAST(max(trading_date) AS VARCHAR) AS day FROM ${DAILY} WHERE trading_date >= DATE ${literal(first)}`,
  )
  const day = latest?.day ? `DATE ${literal(latest.day)}` : 'NULL::DATE'
  await catalog.run(sqlTemplate('catalog/latest_session.sql', { day }))
}

/** `mart.session_of_closed_day()` as constants: to compute it takes as long as to plan it in each view of accounts. */
async function setSessionsOfClosedDays(catalog: Database, { relations: all }: Manifest): Promise<void> {
  const hasSnapshots = all.some(({ name, files }) => name === SNAPSHOT && files.some(({ rows }) => rows > 0))
  const rows = hasSnapshots ? await sessionsOfClosedDays(catalog) : []
  const list = (days: readonly string[]): string => `[${days.map(literal).join(', ')}]`
  await catalog.run(
    sqlTemplate('catalog/session_of_closed_day.sql', {
      days: list(rows.map(({ day }) => day)),
      sessions: list(rows.map(({ session }) => session)),
    }),
  )
}

/** `ops.withheld_bar`: a reader of a symbol's daily bars would read the findings of all years instead. */
async function setWithheldBars(catalog: Database): Promise<void> {
  await catalog.run(`DELETE FROM ops.withheld_bar; INSERT INTO ops.withheld_bar ${withheldBars()}`)
}

/** By the query itself: a catalog that this one began as a copy of has the constants of another publication. */
async function sessionsOfClosedDays(catalog: Database): Promise<{ day: string; session: string }[]> {
  await catalog.run(uncommented(sqlFile('mart/account/session_of_closed_day.sql')))
  return await catalog.rows(
    'SELECT CAST(day AS VARCHAR) AS day, CAST(session AS VARCHAR) AS session FROM mart.session_of_closed_day()',
  )
}

/** Fills `ops.lake_file` of these relations. */
async function recordFiles(catalog: Database, listed: readonly ManifestRelation[]): Promise<void> {
  if (listed.length === 0) return
  const names = listed.map(({ name }) => literal(name)).join(', ')
  const files = listed.flatMap((relation) =>
    relation.files.map(({ partition, path }) => [relation.name, partition, path].map(literal).join(', ')),
  )
  const added = files.length > 0 ? `INSERT INTO ops.lake_file VALUES (${files.join('), (')})` : ''
  await catalog.run(`DELETE FROM ops.lake_file WHERE relation IN (${names}); ${added}`)
}
