import { stat } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { refused } from 'candlehouse-foundation/system-fault'
import type { Database } from '../duckdb/open.js'
import { literal } from '../duckdb/sqlfile.js'
import type { Effects } from '../effects.js'
import { settleFiles, tempOfProcess, type UnsettledFile } from '../home/files.js'
import { type ColumnStats, fileStats } from '../lake/delta/stats.js'
import { type FileForm, formOf, hashFile, openFolder, parquetOptions, READABLE } from '../lake/lake-files.js'
import type { LakeWriter } from '../lake/lake-writer.js'
import { tablePath } from '../lake/manifest.js'
import { daysOf } from '../relations.js'
import type { PublicationId } from './commit.js'
import type { DescribedRelation, LakeFile } from './lake-tables.js'
import { yearPart } from './levels.js'
import type { FilePlan } from './partitions.js'

/** Files that are synced together: each is open meanwhile. */
const SETTLED_AT_ONCE = 64

/** The files that one publication writes and replaces. */
export class Writing {
  readonly changed = new Set<string>()
  readonly replaced: string[] = []
  readonly added: LakeFile[] = []
  rows = 0
  private unsettled: UnsettledFile[] = []

  constructor(
    readonly writer: LakeWriter,
    readonly described: readonly DescribedRelation[],
    readonly live: readonly LakeFile[],
    readonly published: PublicationId,
  ) {}

  /**
   * Writes the file of a plan, unless readers have it already.
   *
   * @param database in which the plan's query is run
   */
  async write(plan: FilePlan, database: Database, columns = this.columnsOf(plan)): Promise<void> {
    const file = await this.writePlan(plan, columns, database)
    const before = filesOf(this.live, plan)
    const outdated = before.filter((name) => name !== file?.file)
    if (outdated.length === 0 && before.length === (file ? 1 : 0)) return
    this.replaced.push(...outdated)
    this.changed.add(plan.relation.name)
    if (!file) return
    this.added.push(file)
    this.rows += Number(file.row_count)
  }

  private columnsOf({ relation }: FilePlan): readonly { name: string; type: string }[] {
    return this.described.find((described) => described.relation.name === relation.name)?.columns ?? []
  }

  /** Gives what was written so far its names: it is on disk on return. */
  async settle(): Promise<void> {
    const files = this.unsettled
    this.unsettled = []
    try {
      await settleFiles(files, READABLE, this.writer.effects.disk)
    } catch (cause) {
      throw refused(`write ${files[0]?.file}`, cause, 'free some disk space, then: candlehouse publish')
    }
  }

  /** Removes all files of a table. */
  remove(name: string): void {
    this.replaced.push(...this.live.filter(({ relation }) => relation === name).map(({ file }) => file))
    this.changed.add(name)
  }

  /** Live files once what was written so far is published. */
  filesAfter(): LakeFile[] {
    const replaced = new Set(this.replaced)
    const added = new Set(this.added.map(({ file }) => file))
    return [...this.live.filter(({ file }) => !replaced.has(file) && !added.has(file)), ...this.added]
  }

  /** Writes the file of one plan; undefined if the partition is empty now. */
  private async writePlan(
    { relation, partition, query, dataChange }: FilePlan,
    columns: readonly { name: string; type: string }[],
    database: Database,
  ): Promise<LakeFile | undefined> {
    const { publication, publishedAt } = this.published
    const isInYear = relation.dated && relation.layout !== 'symbol'
    const days = daysOf(relation, partition)
    const folder = join(this.writer.lake, tablePath(relation.name), ...(isInYear ? [yearPart(days)] : []))
    const file = { stem: join(folder, partition), columns, form: formOf(relation, partition) }
    const written = await writeParquet(database, query, file, this.writer.effects)
    if (!written) return undefined
    this.unsettled.push(written)
    if (this.unsettled.length === SETTLED_AT_ONCE) await this.settle()
    return {
      relation: relation.name,
      partition,
      file: relative(this.writer.lake, written.file),
      row_count: BigInt(written.rows),
      bytes: BigInt(written.bytes),
      sha256: written.sha256,
      stats: written.stats,
      data_change: dataChange,
      publication_id: BigInt(publication),
      added_ms: BigInt(Date.parse(publishedAt)),
      removed_ms: null,
    }
  }
}

/** Live files of the partitions that a plan replaces. */
function filesOf(live: readonly LakeFile[], { relation, replaces }: FilePlan): string[] {
  return live
    .filter((file) => file.relation === relation.name && replaces.includes(file.partition))
    .map(({ file }) => file)
}

/** A Parquet file that was written, under its temporary name. */
interface WrittenFile extends UnsettledFile {
  rows: number
  bytes: number
  sha256: string
  /** Statistics in the form of the Delta log, JSON. */
  stats: string
}

/** Where the rows of a query go. */
interface ParquetFile {
  /** Path without the hash and `.parquet`. */
  readonly stem: string
  /** Of the query, with their types. */
  readonly columns: readonly { name: string; type: string }[]
  readonly form: FileForm
}

/**
 * Writes the rows of a query as one Parquet file, to be settled under a name from its content: files of one name are equal, and
 * unchanged rows give the existing file again.
 *
 * @returns undefined if there are no rows; no file is written then
 * @throws StorageError if the disk refuses; no file of that name exists then
 */
export async function writeParquet(
  database: Database,
  query: string,
  { stem, columns, form }: ParquetFile,
  effects: Effects,
): Promise<WrittenFile | undefined> {
  const { disk } = effects
  await openFolder(dirname(stem), effects)
  const temp = tempOfProcess(stem)
  try {
    const [statsRow] = await database.rows<{
      count: bigint
      column_statistics: [string, [string, string][]][]
    }>(`COPY (${query}) TO ${literal(temp)} (${parquetOptions(form)}, RETURN_STATS)`)
    const rows = Number(statsRow?.count ?? 0)
    if (rows === 0) {
      disk.remove(temp)
      return undefined
    }
    const sha256 = await hashFile(temp)
    const bytes = (await stat(temp)).size
    const file = `${stem}-${sha256.slice(0, 16)}.parquet`
    const statistics = new Map<string, ColumnStats>(
      statsRow?.column_statistics.map(([name, entries]) => [unquoted(name), Object.fromEntries(entries)]),
    )
    return { temp, file, rows, bytes, sha256, stats: fileStats(rows, columns, statistics) }
  } catch (cause) {
    throw refused(`write ${stem}`, cause, 'free some disk space, then: candlehouse publish')
  }
}

/** DuckDB names columns in its statistics as quoted identifiers. */
function unquoted(name: string): string {
  return name.slice(1, -1).replaceAll('""', '"')
}
