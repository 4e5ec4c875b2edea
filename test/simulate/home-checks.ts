import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { filesOfLogs, type Manifest } from './bucket-checks.js'
import { filesIn } from './disk.js'

// What must be true of the files of a home at every moment: read without the program.

interface Line {
  readonly id: string
  readonly run: string
  readonly walk: string
  readonly file: string
  readonly sha256: string
  /** Of an account's part; absent for market data. */
  readonly account?: string
  readonly key_name?: string
  readonly closes?: string
  readonly end: object | null
}

/** The lines of all journals; a last line without its newline was cut off by a kill. */
function linesOf(cwd: string): Line[] {
  const folder = join(cwd, 'data/raw/journal')
  if (!existsSync(folder)) return []
  return readdirSync(folder).flatMap((name) =>
    readFileSync(join(folder, name), 'utf8')
      .split('\n')
      .slice(0, -1)
      .map((text) => JSON.parse(text) as Line),
  )
}

/** A line of the journal is written only after its page is on disk. */
export function pagesThatAreGone(cwd: string): string[] {
  return linesOf(cwd).flatMap(({ id, file, sha256 }) => {
    const path = join(cwd, 'data', file)
    if (!existsSync(path)) return [`the journal names page ${id}, which is not there`]
    const actual = createHash('sha256').update(readFileSync(path)).digest('hex')
    return actual === sha256 ? [] : [`page ${id} is not as the journal has it`]
  })
}

/**
 * Every page of a walk that has ended is in the warehouse sooner or later, of a snapshot that was closed too.
 *
 * @param known ids of `ops.request`
 */
export function pagesThatWereNotLoaded(cwd: string, known: ReadonlySet<string>): string[] {
  const lines = linesOf(cwd)
  const ended = new Set(lines.filter(({ end }) => end !== null).map(({ walk }) => walk))
  const snapshotOf = ({ run, key_name }: Line): string => `${run} ${key_name}`
  const closed = new Set(lines.filter(({ closes }) => closes).map(snapshotOf))
  return lines
    .filter((line) => ended.has(line.walk) && (line.account === undefined || closed.has(snapshotOf(line))))
    .filter(({ id }) => !known.has(id))
    .map(({ id, file }) => `page ${id} (${file}) was landed and not loaded`)
    .slice(0, 3)
}

/** What was loaded can be loaded again: the journal names every page. @param known ids of `ops.request` */
export function pagesWithoutLine(cwd: string, known: ReadonlySet<string>): string[] {
  const named = new Set(linesOf(cwd).map(({ id }) => id))
  return [...known]
    .filter((id) => !named.has(id))
    .map((id) => `page ${id} was loaded, and no journal names it`)
    .slice(0, 3)
}

/** The Delta logs and the manifest name the same files. */
export function logsThatDiffer(cwd: string): string[] {
  const home = join(cwd, 'data')
  const manifest = join(home, 'lake/manifest.json')
  if (!existsSync(manifest)) return []
  const logs = filesIn(join(home, 'lake')).filter((file) => /_delta_log\/\d+\.json$/.test(file))
  const ofLogs = new Set(filesOfLogs(new Map(logs.map((file) => [relative(home, file), readFileSync(file)]))))
  const { relations } = JSON.parse(readFileSync(manifest, 'utf8')) as Manifest
  const ofManifest = new Set(relations.flatMap(({ files }) => files.map(({ path }) => path)))
  return [...ofManifest, ...ofLogs]
    .filter((path) => !ofManifest.has(path) || !ofLogs.has(path))
    .map((path) => `${path} is in ${ofLogs.has(path) ? 'a log' : 'the manifest'} alone`)
    .slice(0, 3)
}
