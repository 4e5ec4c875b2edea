import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createFile, openFolder } from '../files.js'
import type { Action } from './actions.js'

export const LOG = '_delta_log'

const ENTRY = /^(\d{20})\.json$/
const CHECKPOINT = /^(\d{20})\.checkpoint\.parquet$/

/** Versions that a log folder has entries and checkpoints of, rising. */
export interface Listing {
  entries: number[]
  checkpoints: number[]
}

export async function listLog(table: string): Promise<Listing> {
  const names = await readdir(join(table, LOG)).catch(() => [])
  const versions = (pattern: RegExp): number[] =>
    names
      .flatMap((name) => pattern.exec(name)?.[1] ?? [])
      .map(Number)
      .sort((a, b) => a - b)
  return { entries: versions(ENTRY), checkpoints: versions(CHECKPOINT) }
}

/** File of a version's entry, relative to the table. */
export function entryFile(version: number): string {
  return `${LOG}/${padded(version)}.json`
}

export function checkpointFile(version: number): string {
  return `${LOG}/${padded(version)}.checkpoint.parquet`
}

export function padded(version: number): string {
  return String(version).padStart(20, '0')
}

/**
 * Commits a version: the entry is there whole or not at all.
 *
 * @returns false when somebody else has committed that version
 */
export async function commitEntry(
  table: string,
  version: number,
  actions: readonly Action[],
): Promise<boolean> {
  await openFolder(join(table, LOG))
  return await createFile(
    join(table, entryFile(version)),
    `${actions.map((each) => JSON.stringify(each)).join('\n')}\n`,
  )
}

/** @throws SyntaxError when the entry is torn */
export async function readEntry(table: string, version: number): Promise<Action[]> {
  const text = await readFile(join(table, entryFile(version)), 'utf8')
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Action)
}
