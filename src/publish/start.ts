import type { Database } from '../duckdb/open.js'
import { literal } from '../duckdb/sqlfile.js'
import type { Effects } from '../effects.js'
import { type Manifest, readManifest } from '../lake/manifest.js'
import type { OwnSql } from '../lake/own-views.js'
import type { PublicationId } from './commit.js'
import {
  type DescribedRelation,
  isLive,
  type LakeFile,
  type Partition,
  recordedFiles,
} from './lake-tables.js'
import { type ChosenMarts, chosenMarts, describeTables } from './marts/chosen.js'
import { martsNamed } from './marts/described.js'
import { definedOwnTables, type OwnTables, readOwnTables, viewsIn, withOwnTables } from './own-tables.js'
import type { LakeState } from './update.js'

export interface Start {
  /** The manifest of the lake; undefined if it is missing or damaged. */
  readonly former: Manifest | undefined
  /** The latest publication of the ledger. */
  readonly latest: PublicationId | undefined
  readonly described: readonly DescribedRelation[]
  /** What was marked as changed since the last publication. */
  readonly dirty: readonly Partition[]
  /** Partitions whose file an earlier version sorted in another order. */
  readonly formerOrder: readonly Partition[]
  /** Files of the ledger. */
  readonly recorded: readonly LakeFile[]
  readonly marts: ChosenMarts
  /** Relations whose columns have changed. Like those that were partitioned, they get a version whatever files they get. */
  readonly changedSchema: ReadonlySet<string>
  readonly partitioned: ReadonlySet<string>
  readonly own: OwnTables
  readonly state: Omit<LakeState, 'tables' | 'manifest' | 'damaged'>
}

export async function readStart(
  warehouse: Database,
  lake: string,
  {
    userDays = [],
    userRules = [],
    ownSql = [],
    marts: names = [],
  }: Partial<Pick<LakeState, 'userDays' | 'userRules'>> & {
    readonly ownSql?: readonly OwnSql[] | undefined
    readonly marts?: readonly string[] | undefined
  },
): Promise<Start> {
  const former = await readManifest(lake)
  const recorded = await recordedFiles(warehouse)
  const marts = await chosenMarts(warehouse, martsNamed(names), former, recorded)
  const ownTables = await readOwnTables(warehouse, ownSql, former, recorded.filter(isLive))
  const described = withOwnTables(
    await describeTables(warehouse, marts, former),
    ownTables.written,
    ownTables.retired,
    former,
  )
  const latest = await latestPublication(warehouse)
  const isComplete = former !== undefined && former.publication === latest?.publication
  const dirty = await warehouse.rows<Partition>(
    'SELECT DISTINCT relation, partition FROM ops.dirty_partition',
  )
  const formerOrder = await warehouse.rows<Partition>('SELECT relation, partition FROM ops.former_order')
  const known = isComplete ? former.fetched_timeframes : undefined
  const timeframes = await fetchedTimeframes(warehouse, known, dirty)
  return {
    former,
    latest,
    described,
    dirty,
    formerOrder,
    recorded,
    marts,
    changedSchema: changedSchemas(described, former),
    partitioned: partitionedTables(former),
    state: {
      timeframes,
      userDays,
      userRules,
      ownViews: viewsIn(ownSql),
      ownTables: definedOwnTables(ownTables.written),
      retired: new Set([...marts.retired.map(({ name }) => name), ...ownTables.retired]),
    },
    own: ownTables,
  }
}

/**
 * Candle timeframes that were ever requested. Only months with changes can have more than the last publication: a decade of the
 * whole market has four million windows.
 *
 * @param former those of the last publication; undefined if it was interrupted, or if there is none
 */
async function fetchedTimeframes(
  warehouse: Database,
  former: readonly string[] | undefined,
  dirty: readonly Partition[],
): Promise<string[]> {
  const months = dirty.filter(({ relation }) => relation === 'ops.coverage')
  const [first = '9999-12-31'] = months.map(({ partition }) => `${partition}-01-01`.slice(0, 10)).sort()
  const changed = former ? `AND window_from >= DATE ${literal(first)}` : ''
  const rows = await warehouse.column<string>(
    `SELECT DISTINCT timeframe FROM ops.coverage WHERE dataset = 'ohlc' ${changed} ORDER BY timeframe`,
  )
  return [...new Set([...(former ?? []), ...rows])].sort()
}

async function latestPublication(warehouse: Database): Promise<PublicationId | undefined> {
  const [row] = await warehouse.rows<{ id: bigint; run: string; at: bigint }>(
    `SELECT publication_id AS id, run_id AS run, epoch_ms(published_at) AS at FROM ops.publication
     ORDER BY publication_id DESC LIMIT 1`,
  )
  return (
    row && {
      publication: Number(row.id),
      runId: row.run,
      publishedAt: new Date(Number(row.at)).toISOString(),
    }
  )
}

/** Relations whose columns differ from the manifest: all their files are rewritten. */
function changedSchemas(tables: readonly DescribedRelation[], former: Manifest | undefined): Set<string> {
  const shape = (columns: readonly { name: string; type: string }[]): string =>
    columns.map(({ name, type }) => `${name} ${type}`).join()
  return new Set(
    tables.flatMap(({ relation, columns }) => {
      const before = former?.relations.find(({ name }) => name === relation.name)
      return before && shape(before.columns) !== shape(columns) ? relation.name : []
    }),
  )
}

/**
 * Relations whose Delta tables were partitioned by month, as earlier versions of candlehouse wrote them. They get a version
 * without partitions, which has the same files.
 */
function partitionedTables(former: Manifest | undefined): Set<string> {
  const tables = former?.relations.filter(({ partitioned_by }) => partitioned_by.length > 0) ?? []
  return new Set(tables.map(({ name }) => name))
}

/** The number after that of the ledger and that of the lake. */
export function nextPublication({ former, latest }: Start, runId: string, effects: Effects): PublicationId {
  return {
    publication: Math.max(latest?.publication ?? 0, former?.publication ?? 0) + 1,
    runId,
    publishedAt: new Date(effects.now()).toISOString(),
  }
}
