import { existsSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Effects } from '../../effects.js'
import { createFile } from '../../home/files.js'
import { openFolder, READABLE } from '../lake-files.js'
import type { Action } from './actions.js'

export const LOG = '_delta_log'

const ENTRY = /^(\d{20})\.json$/
const CHECKPOINT = /^(\d{20})\.checkpoint\.parquet$/

/** The versions of the entries and checkpoints in a log folder, ascending. */
export interface Listing {
  entries: number[]
  checkpoints: number[]
}

export function listLog(table: string): Listing {
  const folder = join(table, LOG)
  const names = existsSync(folder) ? readdirSync(folder) : []
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
 * Commits a version. The entry is written whole or not at all.
 *
 * @returns false if another program has committed that version
 */
export async function commitEntry(
  table: string,
  version: number,
  actions: readonly Action[],
  effects: Effects,
): Promise<boolean> {
  await openFolder(join(table, LOG), effects)
  const text = `${actions.map((action) => JSON.stringify(action)).join('\n')}\n`
  return await createFile(join(table, entryFile(version)), text, READABLE, effects.disk)
}

/** @throws SyntaxError if the entry is damaged */
export async function readEntry(table: string, version: number): Promise<Action[]> {
  const text = await readFile(join(table, entryFile(version)), 'utf8')
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Action)
}
