import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../package.js'

/** Text of `sql/<path>`; statements in it run as one. */
export function sqlFile(path: string): string {
  return readFileSync(join(packageRoot, 'sql', path), 'utf8')
}

/** Names in `sql/<folder>`, sorted: migrations and macros run in that order. */
export function sqlFiles(folder: string): string[] {
  return readdirSync(join(packageRoot, 'sql', folder))
    .filter((name) => name.endsWith('.sql'))
    .sort()
}

/** A string literal: for the statements of DuckDB that take no bound values (COPY, ATTACH, COMMENT). */
export function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

/** A quoted identifier. */
export function identifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
