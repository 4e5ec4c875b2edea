import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Database } from '../../src/duckdb/open.js'
import { loadSnapshot } from '../../src/load/account/load-snapshot.js'
import { packageRoot } from '../../src/package.js'
import { landParts, type TestAnswer } from '../support/landed.js'

const folder = join(packageRoot, 'test/cases/account')

/** Snapshots as the service would answer them: `given.json` of a folder of `account`. */
export interface SnapshotCase {
  readonly why: string
  readonly suffixes?: { readonly broker: string; readonly depository: string }
  /** `keyName`: the key that reads it; `ofOtherKeys`: accounts of its list that another key has read. */
  readonly snapshots: readonly {
    readonly tradingDate: string
    readonly answers: readonly TestAnswer[]
    readonly keyName?: string
    readonly ofOtherKeys?: string[]
  }[]
}

export const ACCOUNT_CASES: readonly string[] = readdirSync(folder).sort()

export function readAccountCase<Content>(name: string, file: string): Content {
  return JSON.parse(readFileSync(join(folder, name, file), 'utf8')) as Content
}

/** Lands and loads the snapshots of a case, one after the other. */
export async function loadSnapshots(
  warehouse: Database,
  home: string,
  { snapshots, suffixes = { broker: 'Broker', depository: 'Depository' } }: SnapshotCase,
): Promise<void> {
  for (const [index, { answers, ...options }] of snapshots.entries()) {
    const walks = await landParts(home, answers, { ...options, run: `2025060${index + 1}T120000000Z-case` })
    await loadSnapshot(warehouse, home, walks, { verify: true, suffixes })
  }
}
