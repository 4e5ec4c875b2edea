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
import type { DeltaTable } from '../lake/delta/delta-table.js'
import { schemaString } from '../lake/delta/schema.js'
import { type ManifestRelation, tablePath } from '../lake/manifest.js'
import { packageVersion } from '../package.js'
import type { LakeFile, LakeTable } from './lake-tables.js'
import { overlap } from './levels.js'

/** Number, run and time of a publication, as in logs and manifest. */
export interface PublicationId {
  publication: number
  runId: string
  /** ISO 8601. */
  publishedAt: string
}

/** The changes from one version of a table to the next. */
export interface Change {
  adds: Add[]
  removes: Remove[]
  metadata: Metadata
  /** New table, or new columns. */
  newMetadata: boolean
}

/** A live file of a table before a change. */
type BaseFile = Pick<Add, 'path' | 'size' | 'partitionValues'>

/** What a change is made on: a table as its log has it, or as its manifest describes it. */
export interface Base extends Pick<DeltaTable, 'version' | 'metadata'> {
  files: ReadonlyMap<string, BaseFile>
}

/**
 * The changes that bring a table from the state of its log to that of the ledger.
 *
 * @param base undefined for a table without a log
 */
export function changeOf(table: LakeTable, base: Base | undefined, effects: Effects): Change {
  const now = effects.now()
  const metadata = metadataOf(table, base, effects)
  const adds = table.live
    .map(addOf)
    .flatMap((add) => (base?.files.has(add.path) ? withoutPartition(add, base) : add))
  const removedFiles = new Map(table.removed.map((file) => [pathOf(file), file]))
  const live = new Set(table.live.map(pathOf))
  const changing = adds.filter((add) => add.dataChange).map(partitionOf)
  const adding = adds.map(partitionOf)
  const removes = [...(base?.files.values() ?? [])]
    .filter(({ path }) => !live.has(path))
    .map((add): Remove => {
      const removedAt = removedFiles.get(add.path)?.removed_ms
      const partition = partitionOf(add)
      const isPart = (other: string): boolean => overlap(other, partition)
      const merged = adding.some(isPart) && !changing.some(isPart)
      return {
        path: add.path,
        deletionTimestamp: Number(removedAt ?? now),
        dataChange: !merged,
        extendedFileMetadata: true,
        partitionValues: add.partitionValues,
        size: add.size,
      }
    })
  return { adds, removes, metadata, newMetadata: JSON.stringify(metadata) !== JSON.stringify(base?.metadata) }
}

/** The whole state of a table as one change, for a log that is damaged: files that readers had before are no new data. */
export function wholeChange(table: LakeTable, base: Base | undefined, effects: Effects): Change {
  const change = changeOf(table, base, effects)
  const adds = table.live.map((file) => {
    const add = addOf(file)
    return base?.files.has(add.path) ? { ...add, dataChange: false } : add
  })
  return { ...change, adds, newMetadata: true }
}

/** The lines of the log entry for a change. */
export function commitActions(change: Change, isNew: boolean, published: PublicationId): Action[] {
  const { adds, removes, metadata, newMetadata } = change
  return [
    {
      commitInfo: {
        timestamp: Date.parse(published.publishedAt),
        operation: operationOf(change, isNew),
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

/** The whole state of a table, for a checkpoint: live files, and removed files that are not swept yet. */
export function checkpointActions(table: LakeTable, metadata: Metadata, published: PublicationId): Action[] {
  const live = new Set(table.live.map(pathOf))
  return [
    { protocol: PROTOCOL },
    { metaData: metadata },
    { txn: transaction(published) },
    ...table.removed
      .filter((file) => !live.has(pathOf(file)))
      .map((file) => ({
        remove: {
          path: pathOf(file),
          deletionTimestamp: Number(file.removed_ms),
          dataChange: false,
          extendedFileMetadata: true as const,
          partitionValues: {},
          size: Number(file.bytes),
        },
      })),
    ...table.live.map((file) => ({ add: { ...addOf(file), dataChange: false } })),
  ]
}

function transaction({ publication, publishedAt }: PublicationId): Txn {
  return { appId: APP_ID, version: publication, lastUpdated: Date.parse(publishedAt) }
}

function metadataOf(table: LakeTable, base: Base | undefined, effects: Effects): Metadata {
  const { relation, comment, columns } = table
  const id = base?.metadata.id ?? tableId(effects)
  return metadataWith({
    name: relation.name,
    comment,
    columns,
    id,
    createdTime: base?.metadata.createdTime ?? effects.now(),
  })
}

/** What the metadata of a table say. */
interface Described extends Pick<ManifestRelation, 'name' | 'comment' | 'columns'> {
  id: string
  createdTime: number
}

function metadataWith({ name, comment, columns, id, createdTime }: Described): Metadata {
  return {
    id,
    name,
    description: comment,
    format: { provider: 'parquet', options: {} },
    schemaString: schemaString(columns),
    partitionColumns: [],
    createdTime,
    configuration: {},
  }
}

/** A table as its manifest describes it: what a change is compared with. It has no partition columns. */
export function describedBy(manifest: ManifestRelation): Base {
  const { name, version, table_id: id, created_at, files } = manifest
  const metadata = metadataWith({ ...manifest, id, createdTime: Date.parse(created_at) })
  const live = files.map(({ path, bytes }): [string, BaseFile] => {
    const inTable = path.slice(tablePath(name).length + 1)
    return [inTable, { path: inTable, size: bytes, partitionValues: {} }]
  })
  return { version, metadata, files: new Map(live) }
}

function addOf(file: LakeFile): Add {
  return {
    path: pathOf(file),
    partitionValues: {},
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

/** Session, month, year or `all`: what the name of a file begins with, before the beginning of its SHA-256. */
export function partitionOf({ path }: { path: string }): string {
  return (path.split('/').at(-1) ?? '').replace(/-[^-]*$/, '')
}

/** A live file that the log has with a value of a partition column, as earlier versions wrote it: added without one. */
function withoutPartition(add: Add, base: Base): Add[] {
  const isPartitioned = Object.keys(base.files.get(add.path)?.partitionValues ?? {}).length > 0
  return isPartitioned ? [{ ...add, dataChange: false }] : []
}

function operationOf({ adds, removes, newMetadata }: Change, isNew: boolean): string {
  if (isNew) return 'CREATE TABLE AS SELECT'
  const merges = adds.length > 0 && [...adds, ...removes].every(({ dataChange }) => !dataChange)
  return merges && !newMetadata ? 'OPTIMIZE' : 'WRITE'
}

/** A UUID of version 4. */
function tableId(effects: Effects): string {
  const hex = Array.from({ length: 32 }, () => Math.floor(effects.random() * 16).toString(16)).join('')
  const variant = '89ab'[Math.floor(effects.random() * 4)]
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`
}
