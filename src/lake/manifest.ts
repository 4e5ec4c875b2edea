import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { StorageError } from 'candlehouse-foundation/errors'
import { refused, systemFault } from 'candlehouse-foundation/system-fault'
import { z } from 'zod'
import type { Effects } from '../effects.js'
import { replaceFile } from './lake-files.js'

/** `manifest.json` of a lake: one publication, whole. Names in snake_case, as in the relations. */
const fileSchema = z.object({
  /** Relative to the lake, with `/`. */
  path: z.string(),
  /** Session (YYYY-MM-DD), month (YYYY-MM), year (YYYY), or `all`. Files of bars longer than a minute: `longer-` before it. */
  partition: z.string(),
  rows: z.number(),
  bytes: z.number(),
  sha256: z.string(),
  /** Publication that wrote the file. */
  publication: z.number(),
  /** Of a file of bars: the lowest and highest timeframe as text. Earlier versions: absent. */
  timeframes: z.tuple([z.string(), z.string()]).optional(),
})

const relationSchema = z.object({
  name: z.string(),
  comment: z.string(),
  /** Version of the Delta table that holds exactly `files`. */
  version: z.number(),
  table_id: z.string(),
  created_at: z.string(),
  /** Empty since tables have no partition columns: statistics in the log skip files. Earlier versions: `month`. */
  partitioned_by: z.array(z.string()),
  columns: z.array(z.object({ name: z.string(), type: z.string(), comment: z.string() })),
  rows: z.number(),
  bytes: z.number(),
  files: z.array(fileSchema),
  /** The log files for reading `version`: the latest checkpoint up to it, and every entry after that. */
  log: z.array(z.object({ path: z.string(), sha256: z.string() })),
})

const ownSchema = z.object({
  name: z.string(),
  comment: z.string(),
  /** Columns that have a comment. */
  columns: z.array(z.object({ name: z.string(), comment: z.string() })),
  /** One SELECT. */
  sql: z.string(),
})

const manifestSchema = z.object({
  format: z.literal('candlehouse-lake'),
  format_version: z.literal(1),
  publication: z.number(),
  run_id: z.string(),
  published_at: z.string(),
  /** Candle timeframes that were ever fetched: only their bars can replace derived ones. */
  fetched_timeframes: z.array(z.string()),
  /** Days of the user's own calendar: views that count sessions have them wherever the lake is read. */
  calendar_days: z
    .array(z.object({ day: z.string(), is_session: z.boolean(), closed_for: z.string(), source: z.string() }))
    .optional(),
  /** Rules of the user's own `market_rules.csv`. */
  market_rules: z
    .array(
      z.object({
        rule: z.string(),
        scope: z.string(),
        valid_from: z.string(),
        valid_to: z.string().nullable(),
        value: z.string(),
        unit: z.string(),
        source: z.string(),
        certainty: z.string(),
      }),
    )
    .optional(),
  /** Views of the user's own (`sql/views`), each after those that it reads. */
  own_views: z.array(ownSchema).optional(),
  /** Tables of the user's own (`sql/tables`), as they were last computed: their files are those of relation `mine.NAME`. */
  own_tables: z.array(ownSchema).optional(),
  relations: z.array(relationSchema),
})

export type Manifest = z.infer<typeof manifestSchema>
export type ManifestRelation = z.infer<typeof relationSchema>
export type ManifestFile = z.infer<typeof fileSchema>
export type ManifestDay = NonNullable<Manifest['calendar_days']>[number]
export type ManifestRule = NonNullable<Manifest['market_rules']>[number]
export type ManifestColumn = ManifestRelation['columns'][number]

export const MANIFEST = 'manifest.json'

/** Whether a home has published a lake. Its catalog may be lost, or its manifest: the other one is evidence enough. */
export function isPublished(home: string): boolean {
  return existsSync(join(home, 'catalog.duckdb')) || existsSync(join(home, 'lake', MANIFEST))
}

/** Folder of a relation's table in a lake: `market/candle`. */
export function tablePath(name: string): string {
  return name.replace('.', '/')
}

/**
 * The manifest of a lake; undefined if it is missing, or damaged by a power failure.
 *
 * @throws StorageError if the system refuses to read it: then it may be whole
 */
export async function readManifest(lake: string): Promise<Manifest | undefined> {
  const file = join(lake, MANIFEST)
  const text = await readFile(file, 'utf8').catch((cause) => {
    if (['ENOENT', 'ENOTDIR'].includes(systemFault(cause)?.code ?? '')) return undefined
    throw refused(`read ${file}`, cause, 'candlehouse publish')
  })
  return text === undefined ? undefined : parseManifest(text)
}

/** Undefined if the text is damaged. */
export function parseManifest(text: string): Manifest | undefined {
  try {
    return manifestSchema.parse(JSON.parse(text))
  } catch {
    return undefined
  }
}

/** The manifest of a lake that must have one. @throws StorageError (6) */
export async function requireManifest(lake: string): Promise<Manifest> {
  const manifest = await readManifest(lake)
  if (manifest) return manifest
  throw new StorageError(`${lake} is not a candlehouse lake: ${MANIFEST} is missing or unreadable`, {
    hint: 'give the folder that contains manifest.json; in a home, write it again: candlehouse publish; a copy must be made again if it lacks that file, which is copied last',
  })
}

export async function writeManifest(lake: string, manifest: Manifest, effects: Effects): Promise<void> {
  await replaceFile(join(lake, MANIFEST), `${JSON.stringify(manifest)}\n`, effects)
}
