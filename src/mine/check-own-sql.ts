import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { withinTime } from 'candlehouse-foundation/timers'
import { openFile } from '../duckdb/attached-file.js'
import { openReader, type Reader } from '../duckdb/reader.js'
import type { Effects } from '../effects.js'
import { openTempFolder } from '../home/home.js'
import { inMine, installOwnViews, MINE, type OwnView } from '../lake/own-views.js'
import { bindOwnSql } from './bind.js'
import { type CaseResult, runCases } from './cases.js'
import { viewFile } from './own-files.js'
import { type CheckedPage, checkPages } from './own-pages/check-pages.js'
import type { OwnProblem } from './problem.js'

/** A view of the user's own that binds, and how it answered on published data. */
export interface CheckedView {
  readonly name: string
  readonly comment: string
  readonly columns: number
  /** Undefined before the first publication, and where it did not answer. */
  readonly rows: number | undefined
  /** How long it took to count them. */
  readonly ms: number | undefined
}

export interface OwnCheck {
  readonly views: readonly CheckedView[]
  readonly pages: readonly CheckedPage[]
  readonly cases: readonly CaseResult[]
  readonly problems: readonly OwnProblem[]
}

/** A view that takes longer is slow for everybody who reads it. */
const PATIENCE_MS = 30_000

/** Tries every file of the user's own without a run: binds it, runs its cases, and counts its rows in what is published. */
export async function checkOwnSql(home: string, signal: AbortSignal, effects: Effects): Promise<OwnCheck> {
  const { views, problems } = await bindOwnSql(home, effects)
  const stale = new Set(problems.map(({ file }) => file))
  const current = views.filter(({ name }) => !stale.has(viewFile(name)))
  const cases = await runCases(home, current, effects)
  using reader = await copyWithViews(home, views, effects)
  const { counted, failures } = await countRows(reader, current, signal, effects)
  const checkedPages = await checkPages(home, reader, signal, effects)
  const ofCases = cases.flatMap(({ problem }) => problem ?? [])
  const all = [...problems, ...ofCases, ...failures, ...checkedPages.problems]
  return { views: counted, pages: checkedPages.pages, cases, problems: all }
}

interface Counted {
  readonly counted: CheckedView[]
  readonly failures: OwnProblem[]
}

/** The views in a copy of the catalog; undefined before the first publication. */
async function copyWithViews(
  home: string,
  views: readonly OwnView[],
  effects: Effects,
): Promise<Reader | undefined> {
  const catalog = join(home, 'catalog.duckdb')
  if (!existsSync(catalog)) return undefined
  const folder = openTempFolder(home)
  const file = join(folder.path, 'check.duckdb')
  effects.disk.copy(catalog, file)
  effects.disk.setMode(file, 0o600)
  const copy = await openFile(file, undefined)
  try {
    await copy.database.run(`DROP SCHEMA IF EXISTS ${MINE} CASCADE`)
    await installOwnViews(copy.database, views)
  } finally {
    await copy.close()
  }
  // The folder goes with the reader.
  return await openReader(file, [join(home, 'lake')], { spill: folder.path })
}

async function countRows(
  reader: Reader | undefined,
  current: readonly OwnView[],
  signal: AbortSignal,
  effects: Effects,
): Promise<Counted> {
  const result: Counted = { counted: [], failures: [] }
  for (const view of current) {
    const unread = { columns: 0, rows: undefined, ms: undefined }
    const outcome = reader ? await countOf(reader, view, signal, effects) : { ...view, ...unread }
    if ('wrong' in outcome) result.failures.push(outcome)
    else result.counted.push(outcome)
  }
  return result
}

async function countOf(
  reader: Reader,
  { name, comment }: OwnView,
  signal: AbortSignal,
  effects: Effects,
): Promise<CheckedView | OwnProblem> {
  const began = effects.monotonic()
  try {
    const columns = await reader.describe(`FROM ${inMine(name)}`)
    const counting = `SELECT count(*), bit_xor(hash(counted)) FROM ${inMine(name)} counted`
    let rows = 0
    const read = (stop: AbortSignal): Promise<void> =>
      reader.stream(
        counting,
        ignore,
        ([row]) => {
          rows = Number(row?.[0])
        },
        { signal: stop, effects },
      )
    await withinTime(PATIENCE_MS, signal, read, effects)
    return { name, comment, columns: columns.length, rows, ms: effects.monotonic() - began }
  } catch (cause) {
    signal.throwIfAborted()
    const [wrong = ''] = (cause as Error).message.split('\n')
    return { file: viewFile(name), line: undefined, wrong, next: undefined }
  }
}

function ignore(): void {}
