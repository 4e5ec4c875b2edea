import { existsSync, opendirSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../src/package.js'
import type { EngineKind } from './engine.js'
import type { Naming } from './types.js'

const here = join(packageRoot, 'test/interop')
const python = join(here, '.venv/bin/python')
/** DuckDB's extensions on PyPI are of an earlier DuckDB than the latest one. */
const pythonOfExtensions = join(here, '.venv-bucket/bin/python')

const clickhouse = (reader: string): EngineKind => ({
  name: `clickhouse ${reader}`,
  naming: 'clickhouse',
  command: process.execPath,
  args: [join(here, 'engines/clickhouse.mjs'), reader],
})

const inPython = (name: string, naming: Naming, script: string): EngineKind => ({
  name,
  naming,
  command: python,
  args: [join(here, 'engines', script)],
})

const engines: readonly EngineKind[] = [
  clickhouse('kernel'),
  { ...clickhouse('tables'), noFormer: 'its tables show the latest version' },
  { ...clickhouse('copies'), noFormer: 'a copy has one version' },
  { ...clickhouse('native'), noFormer: 'this reader has no versions', known: outOfOrder },
  inPython('delta-rs', 'arrow', 'delta_rs.py'),
  inPython('polars', 'polars', 'polars_scan.py'),
  inPython('pandas', 'pandas', 'pandas_frame.py'),
  { ...inPython('duckdb', 'duckdb', 'duckdb_catalog.py'), catalogOnly: 'current' },
  { ...inPython('ducklake', 'duckdb', 'ducklake.py'), command: pythonOfExtensions, catalogOnly: 'history' },
  { ...inPython('spark', 'spark', 'spark.py'), isSlow: true },
]

/**
 * Engines that `make interop` could install here, and why the others are not.
 *
 * @param names only these; none: all
 */
export function availableEngines(names: readonly string[]): {
  found: EngineKind[]
  missing: EngineKind[]
  skipped: string[]
} {
  const asked = engines.filter(({ name }) => names.length === 0 || names.includes(name))
  const missing = asked.filter(({ command }) => !existsSync(command))
  return {
    found: asked.filter((engine) => !missing.includes(engine)),
    missing,
    skipped: missing.map(({ name }) => `${name}: skipped, no PyPI when make interop installed`),
  }
}

/**
 * ClickHouse's own reader replays the entries of a log without a checkpoint in the order in which the folder lists
 * them, which is that of names on object stores and any on disks: a remove before its add removes nothing.
 */
function outOfOrder(table: string): string | undefined {
  const log = join(table, '_delta_log')
  if (existsSync(join(log, '_last_checkpoint'))) return undefined
  const folder = opendirSync(log)
  const names: string[] = []
  for (let entry = folder.readSync(); entry; entry = folder.readSync()) names.push(entry.name)
  folder.closeSync()
  const inOrder = names.every((name, index) => index === 0 || name > (names[index - 1] ?? ''))
  return inOrder ? undefined : 'it replays log entries in the order in which the folder lists them'
}

/** Why an engine that does not come up is skipped; undefined: it must come up. */
export function excuse(problem: unknown): string | undefined {
  const text = String(problem)
  if (/JAVA_HOME is not set|java: (command )?not found|No such file.*java/.test(text)) return 'no Java'
  if (/UNRESOLVED DEPENDENCIES|unresolved dependency/.test(text)) return 'no Maven Central'
  return undefined
}
