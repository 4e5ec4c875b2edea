import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { openDatabase } from '../duckdb/open.js'
import { identifier, literal } from '../duckdb/sqlfile.js'
import { openTempFolder } from '../home/home.js'
import { writeCatalog } from '../lake/catalog.js'
import type { Manifest, ManifestColumn } from '../lake/manifest.js'
import { inMine, MINE, type OwnSql } from '../lake/own-views.js'
import { pathsOf, scan } from '../lake/relation-view.js'
import { type DescribedRelation, withFiles } from './lake-tables.js'
import {
  isDescribed,
  madeOf,
  type OwnTables,
  ownRelation,
  ownTableName,
  type WrittenTable,
} from './own-tables.js'
import { manifestFiles } from './update.js'
import type { Writing } from './writing.js'

/** A statement of the user's own, and where it runs. */
export interface OwnComputation {
  readonly table: OwnSql
  /** A catalog over the files of this publication, with all that the statement reads. */
  readonly catalog: string
  readonly lake: string
  /** Parquet file to write. */
  readonly file: string
  /** A folder for it and for what the statement spills. */
  readonly folder: string
}

/** What a statement gave: the columns of the file that it wrote, or why it did not. */
export type OwnComputed =
  | { readonly columns: readonly { name: string; type: string }[] }
  | { readonly wrong: string }

export type ComputeOwn = (computation: OwnComputation) => Promise<OwnComputed>

/** A table that could not be computed: readers keep its former file. */
export interface FailedTable {
  readonly name: string
  readonly wrong: string
  readonly keepsFormer: boolean
}

interface Refreshed {
  readonly written: readonly WrittenTable[]
  readonly failed: readonly FailedTable[]
  /** Whether columns of a table have changed. */
  readonly isNewShape: boolean
}

/** What the catalog of a publication shows besides its files. */
type Shown = Pick<Manifest, 'fetched_timeframes' | 'calendar_days' | 'market_rules'>

/** What a publication knows when it computes the tables of the user's own. */
export interface Refresh {
  readonly own: OwnTables
  /** The relations of the package. */
  readonly described: readonly DescribedRelation[]
  readonly shown: Shown
  /** What `madeOf` gets of the user's own calendar and rules. */
  readonly facts: string
  readonly compute: ComputeOwn
}

/**
 * Computes the tables of the user's own that are not what their files and the new files of the lake give, each after those that it
 * reads, and removes those that no file defines any more. One that fails keeps its former file and ends nothing.
 */
export async function refreshOwnTables(writing: Writing, refresh: Refresh): Promise<Refreshed> {
  const { own, facts } = refresh
  for (const name of own.retired) writing.remove(name)
  const written: WrittenTable[] = []
  const failed: FailedTable[] = []
  let isNewShape = false
  using state = new OwnState(writing, refresh)
  for (const each of own.wanted) {
    if (each.kind === 'view') {
      state.add(`CREATE OR REPLACE VIEW ${inMine(each.name)} AS\n${each.sql}`)
      continue
    }
    const known = own.written.find(({ name }) => name === each.name)
    const source = madeOf(each, own.wanted, writing.filesAfter(), facts)
    const computed =
      known?.madeOf === source && !state.isLost(each.name)
        ? { columns: known.columns }
        : await state.compute(each)
    if ('wrong' in computed) {
      failed.push({ name: each.name, wrong: computed.wrong, keepsFormer: known !== undefined })
      if (state.isLost(each.name)) writing.remove(ownTableName(each.name))
      if (known) written.push(known)
      if (known) state.show(known)
      continue
    }
    const table = { ...withoutKind(each), columns: withWords(computed.columns, each), madeOf: source }
    const isSameShape = known !== undefined && shapeOf(known) === shapeOf(table)
    if (known && !isSameShape) isNewShape = true
    if (!isSameShape || !isDescribed(known, each)) writing.changed.add(ownTableName(each.name))
    written.push(table)
    state.show(table)
  }
  return { written, failed, isNewShape }
}

function withoutKind({ name, comment, sql }: OwnSql): Omit<WrittenTable, 'columns' | 'madeOf'> {
  return { name, comment, sql }
}

function withWords(
  columns: readonly { name: string; type: string }[],
  { columns: described }: OwnSql,
): ManifestColumn[] {
  return columns.map(({ name, type }) => {
    const comment = described.find((column) => column.name === name)?.comment ?? ''
    return { name, type, comment }
  })
}

function shapeOf({ columns }: WrittenTable): string {
  return columns.map(({ name, type }) => `${name} ${type}`).join()
}

/** A catalog over the files of the publication that is being written, made when the first table is computed. */
class OwnState implements Disposable {
  private folder: ReturnType<typeof openTempFolder> | undefined
  /** Statements that the catalog does not have yet. */
  private waiting: string[] = []

  constructor(
    private readonly writing: Writing,
    private readonly refresh: Refresh,
  ) {}

  add(statement: string): void {
    this.waiting.push(statement)
  }

  /** Makes a table readable for those that come after it. */
  show({ name, columns }: WrittenTable): void {
    const { lake } = this.writing.writer
    const files = this.writing.filesAfter().filter(({ relation }) => relation === ownTableName(name))
    const paths = pathsOf(
      files.map(({ file }) => ({ path: file })),
      lake,
    )
    this.add(
      `CREATE OR REPLACE VIEW ${inMine(name)} AS ${scan(columns, files.length > 0 ? paths : undefined)}`,
    )
  }

  /** Whether the file of a table is gone. */
  isLost(name: string): boolean {
    const { live, writer } = this.writing
    return live.some(
      ({ relation, file }) => relation === ownTableName(name) && !existsSync(join(writer.lake, file)),
    )
  }

  async compute(table: OwnSql): Promise<OwnComputed> {
    const { writing } = this
    const { lake, warehouse } = writing.writer
    const { catalog, folder } = await this.catalog()
    const file = join(folder, `${table.name}.parquet`)
    const computed = await this.refresh.compute({ table, catalog, lake, file, folder })
    if ('wrong' in computed) return computed
    const relation = ownRelation(ownTableName(table.name))
    const names = computed.columns.map(({ name }) => identifier(name)).join(', ')
    const query = `SELECT ${names} FROM read_parquet(${literal(file)}) ORDER BY ALL`
    const plan = { relation, partition: 'all', query, replaces: ['all'], dataChange: true }
    await writing.write(plan, warehouse, computed.columns)
    await writing.settle()
    writing.writer.effects.disk.remove(file)
    return computed
  }

  /** Nobody has it open on return: another process reads it. */
  private async catalog(): Promise<{ catalog: string; folder: string }> {
    const isNew = this.folder === undefined
    this.folder ??= openTempFolder(this.writing.writer.home)
    const folder = this.folder.path
    const catalog = join(folder, 'state.duckdb')
    if (isNew) await this.writeState(catalog)
    using database = await openDatabase(catalog)
    // What rests on something that is not there is not there either.
    for (const statement of [`CREATE SCHEMA IF NOT EXISTS ${MINE}`, ...this.waiting])
      await database.run(statement).catch(() => undefined)
    this.waiting = []
    return { catalog, folder }
  }

  private async writeState(catalog: string): Promise<void> {
    const { writing, refresh } = this
    const { lake, effects } = writing.writer
    const tables = withFiles(refresh.described, writing.filesAfter())
    const manifest: Manifest = {
      format: 'candlehouse-lake',
      format_version: 1,
      publication: writing.published.publication,
      run_id: writing.published.runId,
      published_at: writing.published.publishedAt,
      ...refresh.shown,
      relations: tables.map(({ relation, comment, columns, live }) => ({
        name: relation.name,
        comment,
        columns,
        files: manifestFiles(relation, live),
        ...NO_LOG,
      })),
    }
    await writeCatalog(manifest, lake, catalog, { isNew: true, base: undefined }, effects)
    effects.disk.setMode(catalog, 0o600)
  }

  [Symbol.dispose](): void {
    this.folder?.[Symbol.dispose]()
  }
}

/** What a catalog does not show of a relation. */
const NO_LOG = { version: 0, table_id: '', created_at: '', partitioned_by: [], rows: 0, bytes: 0, log: [] }
