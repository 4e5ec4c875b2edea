/**
 * The actions of a Delta log that candlehouse writes: protocol reader 1, writer 2, which every engine reads.
 * Source: the Delta transaction log protocol, https://github.com/delta-io/delta/blob/master/PROTOCOL.md
 */

export interface Protocol {
  minReaderVersion: 1
  minWriterVersion: 2
}

export interface Metadata {
  /** Id of the table; it never changes. */
  id: string
  name: string
  description: string
  format: { provider: 'parquet'; options: Record<string, string> }
  /** Schema of the table, JSON in a string. */
  schemaString: string
  partitionColumns: string[]
  /** Epoch milliseconds. */
  createdTime: number
  configuration: Record<string, string>
}

export interface Txn {
  appId: string
  version: number
  lastUpdated?: number
}

export interface Add {
  /** Relative to the table, with `/`. */
  path: string
  partitionValues: Record<string, string>
  /** Bytes. */
  size: number
  /** Epoch milliseconds. */
  modificationTime: number
  dataChange: boolean
  /** Statistics, JSON in a string. */
  stats: string
}

export interface Remove {
  path: string
  /** Epoch milliseconds. The file is kept for time travel after this, then swept. */
  deletionTimestamp: number
  dataChange: boolean
  extendedFileMetadata: true
  partitionValues: Record<string, string>
  size: number
}

export interface CommitInfo {
  timestamp: number
  operation: string
  operationParameters: Record<string, string>
  isBlindAppend: boolean
  engineInfo: string
  /** Our own field, as is `publication`. */
  runId: string
  publication: number
}

/** One line of a log entry. */
export interface Action {
  commitInfo?: CommitInfo
  protocol?: Protocol
  metaData?: Metadata
  txn?: Txn
  remove?: Remove
  add?: Add
}

export const PROTOCOL: Protocol = { minReaderVersion: 1, minWriterVersion: 2 }

/** Id of candlehouse's transactions in every table; `txn.version` is the number of the publication. */
export const APP_ID = 'candlehouse'
