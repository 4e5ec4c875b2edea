import { join, relative } from 'node:path'
import type { Database } from '../duckdb/open.js'
import type { Effects } from '../effects.js'
import { daysOf } from '../lake/filekinds.js'
import { rowGroupOf } from '../lake/files.js'
import { tablePath } from '../lake/manifest.js'
import type { PublicationId } from './commit.js'
import type { DescribedRelation, LakeFile, LiveFile } from './laketables.js'
import { yearPart } from './levels.js'
import { writeParquet } from './parquet.js'
import type { FilePlan } from './partitions.js'

/** The files that one publication writes and replaces. */
export class Writing {
  readonly changed = new Set<string>()
  readonly replaced: string[] = []
  readonly added: LakeFile[] = []
  rows = 0

  constructor(
    readonly warehouse: Database,
    readonly lake: string,
    readonly described: readonly DescribedRelation[],
    readonly live: readonly LiveFile[],
    readonly published: PublicationId,
    readonly effects: Effects,
  ) {}

  /** Writes the file of a plan, unless readers have it already. @param database in which the plan's query is run */
  async write(plan: FilePlan, database: Database): Promise<void> {
    const columns = this.described.find(({ relation }) => relation.name === plan.relation.name)?.columns ?? []
    const file = await writePlan(database, this.lake, plan, columns, this.published, this.effects)
    const before = filesOf(this.live, plan)
    const outdated = before.filter((name) => name !== file?.file)
    if (outdated.length === 0 && before.length === (file ? 1 : 0)) return
    this.replaced.push(...outdated)
    this.changed.add(plan.relation.name)
    if (!file) return
    this.added.push(file)
    this.rows += Number(file.row_count)
  }

  /** Removes all files of a table. */
  remove(name: string): void {
    this.replaced.push(...this.live.filter(({ relation }) => relation === name).map(({ file }) => file))
    this.changed.add(name)
  }

  /** Live files once what was written so far is published. */
  filesAfter(): { relation: string; partition: string; file: string }[] {
    const replaced = new Set(this.replaced)
    const added = new Set(this.added.map(({ file }) => file))
    return [...this.live.filter(({ file }) => !replaced.has(file) && !added.has(file)), ...this.added]
  }
}

/** Live files of the partitions that a plan replaces. */
function filesOf(live: readonly LiveFile[], { relation, replaces }: FilePlan): string[] {
  return live
    .filter((file) => file.relation === relation.name && replaces.includes(file.partition))
    .map(({ file }) => file)
}

/** Writes the file of one plan; undefined if the partition is empty now. */
async function writePlan(
  database: Database,
  lake: string,
  { relation, partition, query, dataChange }: FilePlan,
  columns: readonly { name: string; type: string }[],
  { publication, publishedAt }: PublicationId,
  effects: Effects,
): Promise<LakeFile | undefined> {
  const isInYear = relation.dated && relation.layout !== 'symbol'
  const days = daysOf(relation, partition)
  const folder = join(lake, tablePath(relation.name), ...(isInYear ? [yearPart(days)] : []))
  const rowGroup = rowGroupOf(relation.layout, days)
  const file = { stem: join(folder, partition), columns, rowGroup }
  const written = await writeParquet(database, query, file, effects)
  if (!written) return undefined
  return {
    relation: relation.name,
    partition,
    file: relative(lake, written.file),
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
