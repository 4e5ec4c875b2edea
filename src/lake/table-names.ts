import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { tableNames } from '../relations.js'
import { MINE } from './own-views.js'

/** Names of all tables that a lake has or can have: those of the user's own are known by their folders. */
export function tablesOf(lake: string): readonly string[] {
  return [...tableNames, ...ownTablesOf(lake)]
}

/** Names of the tables of the user's own that a lake has, or has had. */
export function ownTablesOf(lake: string): string[] {
  const folder = join(lake, MINE)
  const entries = existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : []
  return entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `${MINE}.${name}`)
    .sort()
}
