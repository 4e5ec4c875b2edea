import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A line of a Delta log, as the protocol's text names things. */
export type Line = Record<string, Record<string, unknown>>

export function deltaEntry(table: string, version: number): Line[] {
  const file = join(table, '_delta_log', `${String(version).padStart(20, '0')}.json`)
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)
}

/** Actions of one kind in a version's entry. */
export function actions(table: string, version: number, kind: string): Record<string, unknown>[] {
  return deltaEntry(table, version).flatMap((line) => (line[kind] ? [line[kind]] : []))
}

/**
 * Live files of a version, replayed from entry 0 by the protocol's text: an add with a path replaces what is known of
 * it, a remove takes it away. Written for the tests; shares nothing with the program.
 */
export function deltaFiles(table: string, upTo = Number.POSITIVE_INFINITY): string[] {
  const live = new Set<string>()
  const log = join(table, '_delta_log')
  const versions = existsSync(log)
    ? readdirSync(log).flatMap((name) => (/^\d{20}\.json$/.test(name) ? [Number.parseInt(name, 10)] : []))
    : []
  for (const version of versions.sort((a, b) => a - b).filter((each) => each <= upTo)) {
    for (const { remove } of deltaEntry(table, version)) if (remove) live.delete(String(remove.path))
    for (const { add } of deltaEntry(table, version)) if (add) live.add(String(add.path))
  }
  return [...live].sort()
}

/** Every path that an entry ever added. */
export function everAdded(table: string): Set<string> {
  const names = readdirSync(join(table, '_delta_log')).filter((name) => name.endsWith('.json'))
  return new Set(
    names.flatMap((name) => actions(table, Number.parseInt(name, 10), 'add').map((add) => String(add.path))),
  )
}
