import { join } from 'node:path'
import type { Database } from '../duckdb/open.js'
import type { Effects } from '../effects.js'

/** The lake of a home and its one writer, who has locked the warehouse. */
export interface LakeWriter {
  readonly warehouse: Database
  readonly home: string
  /** Folder of the lake. */
  readonly lake: string
  readonly effects: Effects
}

export function lakeWriter(warehouse: Database, home: string, effects: Effects): LakeWriter {
  return { warehouse, home, lake: join(home, 'lake'), effects }
}
