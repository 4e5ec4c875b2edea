import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import { StorageError } from 'candlehouse-foundation/errors'
import { type Database, openDatabase } from '../duckdb/open.js'
import { openReader } from '../duckdb/reader.js'
import { identifier, literal, sqlFile } from '../duckdb/sqlfile.js'
import type { Effects } from '../effects.js'
import { copyToWrite } from '../home/files.js'
import { makeReaderFolder, removeTempFolder } from '../home/home.js'
import { readsOf } from '../mart/objects.js'
import { DATASETS } from '../plan/datasets.js'
import { CATALOG_SCHEMAS } from '../relations.js'
import type { OpenCatalog } from './live-catalog.js'
import { requireCatalog } from './query.js'

/** Schemas that a reader without accounts has. Views of a user's own may read accounts under any name. */
const SCHEMAS: readonly string[] = CATALOG_SCHEMAS.filter((name) => name !== 'account' && name !== 'mine')

const OF_MARKET = `IN (${DATASETS.map(literal).join(', ')})`

/** Relations with rows about the market and about accounts, and which rows are about the market. */
const MARKET_ROWS: Readonly<Record<string, string>> = {
  // raw/DATASET/…: the ledger does not name the dataset of a page otherwise.
  'ops.request': `split_part(raw_file, '/', 2) ${OF_MARKET}`,
  'ops.coverage': `dataset ${OF_MARKET}`,
  'ops.quarantine': `dataset ${OF_MARKET}`,
  'recon.finding': "subject = 'market'",
  'recon.offender': "subject = 'market'",
  'recon.acceptance': "subject = 'market'",
}

interface CatalogObject {
  /** Schema-qualified. */
  readonly name: string
  readonly kind: 'VIEW' | 'MACRO' | 'MACRO TABLE'
  readonly text: string
}

/**
 * Opens the published catalog without any fact about accounts: no relation of schema `account`, nothing that reads one, and
 * of relations about both only the rows about the market. It is a copy of the catalog, which exists while it is opened; the
 * folders that it may read are those without accounts.
 */
export function marketCatalog({ disk }: Pick<Effects, 'disk'>): OpenCatalog {
  return async (home, options) => {
    const catalog = requireCatalog(home)
    const folder = makeReaderFolder(home)
    if (folder === undefined) {
      throw new StorageError(
        'no folder for a copy of the catalog: neither the home nor ~/.cache can be written',
        {
          hint: 'candlehouse mcp --accounts    # reads the catalog itself, accounts included',
        },
      )
    }
    try {
      // Its name is that of the database in statements: that of the catalog.
      const copy = join(folder, basename(catalog))
      copyToWrite(catalog, copy, disk)
      await removeAccounts(copy)
      return await openReader(copy, marketFolders(home), options)
    } finally {
      // The open file stays readable; a process that is killed leaves nothing.
      removeTempFolder(folder)
    }
  }
}

function marketFolders(home: string): string[] {
  return SCHEMAS.map((schema) => join(home, 'lake', schema)).filter((folder) => existsSync(folder))
}

async function removeAccounts(copy: string): Promise<void> {
  using database = await openDatabase(copy, { threads: 1 })
  const objects = await objectsOf(database)
  const hidden = aboutAccounts(objects)
  await database.transaction(async () => {
    // Text in the file of what is dropped stays until its blocks are used again: the copy is only read.
    for (const { kind, name } of objects.filter((object) => hidden.has(object.name)))
      await database.run(`DROP ${kind} IF EXISTS ${name}`)
    for (const schema of await database.column<string>(
      `SELECT schema_name FROM duckdb_schemas()
       WHERE NOT internal AND database_name = current_database() AND schema_name <> 'main'`,
    ))
      if (!SCHEMAS.includes(schema)) await database.run(`DROP SCHEMA ${identifier(schema)} CASCADE`)
    for (const [name, condition] of Object.entries(MARKET_ROWS)) {
      const view = objects.find((object) => object.name === name)
      if (view) await keepRows(database, view, condition)
    }
    await database.run(
      `DELETE FROM ops.lake_file WHERE split_part(relation, '.', 1) NOT IN (${SCHEMAS.map(literal).join(', ')})`,
    )
  })
}

/** Views and macros of the catalog. */
async function objectsOf(database: Database): Promise<CatalogObject[]> {
  return await database.rows<CatalogObject>(sqlFile('read/catalog_objects.sql'))
}

/** Objects of the other schemas that read accounts, also through others, and the lists of their files. */
function aboutAccounts(objects: readonly CatalogObject[]): ReadonlySet<string> {
  const reads = new Map(objects.map(({ name, text }) => [name, readsOf(text)]))
  const hidden = new Set(
    objects
      .map(({ name }) => name)
      .filter((name) => /^(account\.|mart\.account_|ops\.account_\w+_files$)/.test(name)),
  )
  for (let known = -1; known < hidden.size; ) {
    known = hidden.size
    for (const [name, names] of reads)
      if (names.some((read) => hidden.has(read) || read.startsWith('account.'))) hidden.add(name)
  }
  return hidden
}

/** Replaces a view by one with only some of its rows, and the same comments. */
async function keepRows(database: Database, { name, text }: CatalogObject, condition: string): Promise<void> {
  const [schema = '', view = ''] = name.split('.')
  const [{ comment }] = (await database.rows<{ comment: string | null }>(
    `SELECT comment FROM duckdb_views() WHERE schema_name = ${literal(schema)} AND view_name = ${literal(view)}`,
  )) as [{ comment: string | null }]
  const columns = await database.rows<{ name: string; comment: string }>(
    `SELECT column_name AS name, comment FROM duckdb_columns()
     WHERE schema_name = ${literal(schema)} AND table_name = ${literal(view)} AND comment IS NOT NULL`,
  )
  const query = text.replace(/^CREATE VIEW \S+ AS /, '').replace(/;\s*$/, '')
  await database.run(
    [
      `CREATE OR REPLACE VIEW ${name} AS SELECT * FROM (${query}) WHERE ${condition};`,
      ...(comment === null ? [] : [`COMMENT ON VIEW ${name} IS ${literal(comment)};`]),
      ...columns.map(
        (column) => `COMMENT ON COLUMN ${name}.${identifier(column.name)} IS ${literal(column.comment)};`,
      ),
    ].join('\n'),
  )
}
