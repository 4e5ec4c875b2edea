import type { Format } from './formats.js'

export const PROFILES = ['exact', 'pandas'] as const
/**
 * `exact`: the types of the warehouse (DECIMAL, DATE, TIMESTAMPTZ). `pandas`: DOUBLE, TIMESTAMP (UTC, without zone),
 * and dictionary-coded symbols in Arrow files.
 */
export type Profile = (typeof PROFILES)[number]

export interface ExportRequest {
  /** A relation of the catalog, or one SELECT statement. */
  source: { relation: string } | { query: string }
  format: Format
  profile: Profile
  /** Absolute: a file, or with `partitionBy` a folder. */
  out: string
  /** First and last trading date. */
  from?: string | undefined
  to?: string | undefined
  symbols?: readonly string[] | undefined
  /** Whether symbols are accepted that no list and no row of the export has. @default false */
  allowUnknown?: boolean | undefined
  timeframe?: string | undefined
  /** ISO, with a zone: rows are what the warehouse knew then. @default what it knows now */
  asKnownOn?: string | undefined
  /** Absolute: a file that says what could be seen at that instant, and what could not. */
  receipt?: string | undefined
  /** A column, or `month` (of `trading_date`): one folder per value. */
  partitionBy?: string | undefined
}

/** `manifest.json` beside an export; names in snake_case, as in the relations. */
export interface ExportManifest {
  format: 'candlehouse-export'
  format_version: 1
  source: { relation: string } | { query: string }
  filters: { from?: string; to?: string; symbols?: readonly string[]; timeframe?: string }
  file_format: Format
  profile: Profile
  partition_by: string | null
  /** ISO; only of an export as it was known. */
  as_known_on?: string
  publication: number
  published_at: string
  exported_at: string
  /** Names and DuckDB types of the values; text formats write them as text. */
  columns: { name: string; type: string }[]
  rows: number
  /** Relative to the manifest. */
  files: { path: string; rows: number; bytes: number; sha256: string }[]
}
