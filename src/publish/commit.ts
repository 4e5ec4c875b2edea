import type { Effects } from '../effects.js'
import {
  type Action,
  type Add,
  APP_ID,
  type Metadata,
  PROTOCOL,
  type Remove,
  type Txn,
} from '../lake/delta/actions.js'
import { MONTH, schemaString } from '../lake/delta/schema.js'
import type { Snapshot } from '../lake/delta/snapshot.js'
import { packageVersion } from '../package.js'
import type { LakeFile, LakeTable } from './ledger.js'
import { monthPart } from './partitions.js'

/** What a publication is called in logs and manifest. */
export interface Published {
  publication: number
  runId: string
  /** ISO 8601. */
  publishedAt: string
}

/** What a table's next version changes. */
export interface Change {
  adds: Add[]
  removes: Remove[]
  metadata: Metadata
  /** New table, or new columns. */
  newMetadata: boolean
}

/**
 * What brings a table from what its log says to what the ledger wants.
 *
 * @param base undefined for a table that has no log yet
 */
export function changeOf(table: LakeTable, base: Snapshot | undefined, effects: Effects): Change {
  const now = effects.now()
  const metadata = metadataOf(table, base, effects)
  const adds = table.live.map(addOf).filter(({ path }) => !base?.files.has(path))
  const kept = new Map(table.kept.map((file) => [pathOf(file), file]))
  const wanted = new Set(table.live.map(pathOf))
  const changing = new Set(adds.filter((add) => add.dataChange).map(partitionOf))
  const adding = new Set(adds.map(partitionOf))
  const removes = [...(base?.files.values() ?? [])]
    .filter(({ path }) => !wanted.has(path))
    .map((add): Remove => {
      const removed = kept.get(add.path)?.removed_ms
      const merged = adding.has(partitionOf(add)) && !changing.has(partitionOf(add))
      return {
        path: add.path,
        deletionTimestamp: Number(removed ?? now),
        dataChange: !merged,
        extendedFileMetadata: true,
        partitionValues: add.partitionValues,
        size: add.size,
      }
    })
  return { adds, removes, metadata, newMetadata: JSON.stringify(metadata) !== JSON.stringify(base?.metadata) }
}

/** Lines of the log entry that makes a change. */
export function commitActions(change: Change, isNew: boolean, published: Published): Action[] {
  const { adds, removes, metadata, newMetadata } = change
  const merges = [...adds, ...removes].every((each) => !each.dataChange)
  return [
    {
      commitInfo: {
        timestamp: Date.parse(published.publishedAt),
        operation: isNew ? 'CREATE TABLE AS SELECT' : merges && adds.length > 0 ? 'OPTIMIZE' : 'WRITE',
        operationParameters: { mode: removes.length > 0 ? 'Overwrite' : 'Append' },
        isBlindAppend: removes.length === 0 && !newMetadata,
        engineInfo: `candlehouse/${packageVersion}`,
        runId: published.runId,
        publication: published.publication,
      },
    },
    ...(isNew ? [{ protocol: PROTOCOL }] : []),
    ...(newMetadata ? [{ metaData: metadata }] : []),
    { txn: transaction(published) },
    ...removes.map((remove) => ({ remove })),
    ...adds.map((add) => ({ add })),
  ]
}

/** The whole state of a table, for a checkpoint: live files, and removed ones that are still kept. */
export function checkpointActions(table: LakeTable, metadata: Metadata, published: Published): Action[] {
  const live = new Set(table.live.map(pathOf))
  return [
    { protocol: PROTOCOL },
    { metaData: metadata },
    { txn: transaction(published) },
    ...table.kept
      .filter((file) => !live.has(pathOf(file)))
      .map((file) => ({
        remove: {
          path: pathOf(file),
          deletionTimestamp: Number(file.removed_ms),
          dataChange: false,
          extendedFileMetadata: true as const,
          partitionValues: valuesOf(file.partition),
          size: Number(file.bytes),
        },
      })),
    ...table.live.map((file) => ({ add: { ...addOf(file), dataChange: false } })),
  ]
}

function transaction({ publication, publishedAt }: Published): Txn {
  return { appId: APP_ID, version: publication, lastUpdated: Date.parse(publishedAt) }
}

function metadataOf(table: LakeTable, base: Snapshot | undefined, effects: Effects): Metadata {
  const partitioned = table.relation.dated !== undefined
  return {
    id: base?.metadata.id ?? tableId(effects),
    name: table.relation.name,
    description: table.comment,
    format: { provider: 'parquet', options: {} },
    schemaString: schemaString(table.columns, partitioned),
    partitionColumns: partitioned ? [MONTH] : [],
    createdTime: base?.metadata.createdTime ?? effects.now(),
    configuration: {},
  }
}

function addOf(file: LakeFile): Add {
  return {
    path: pathOf(file),
    partitionValues: valuesOf(file.partition),
    size: Number(file.bytes),
    modificationTime: Number(file.added_ms),
    dataChange: file.data_change,
    stats: file.stats,
  }
}

/** Path of a file relative to its table. */
function pathOf({ file }: LakeFile): string {
  return file.split('/').slice(2).join('/')
}

function valuesOf(partition: string): Record<string, string> {
  return partition === 'all' ? {} : { [MONTH]: monthPart(partition) }
}

function partitionOf({ partitionValues }: { partitionValues: Record<string, string> }): string {
  return partitionValues[MONTH] ?? ''
}

/** A UUID of version 4. */
function tableId(effects: Effects): string {
  const hex = Array.from({ length: 32 }, () => Math.floor(effects.random() * 16).toString(16)).join('')
  const variant = '89ab'[Math.floor(effects.random() * 4)]
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`
}
