import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { openFile } from '../duckdb/attached-file.js'
import { openReader } from '../duckdb/reader.js'
import { literal } from '../duckdb/sqlfile.js'
import type { Effects } from '../effects.js'
import { copyToWrite } from '../home/files.js'
import { openTempFolder } from '../home/home.js'
import { inMine, installOwnViews, MINE, type OwnView } from '../lake/own-views.js'
import { type CaseResult, runCases } from './cases.js'
import { type OwnKind, ownFile } from './own-files.js'
import { type CheckedPage, checkPages, type PagesCheck } from './own-pages/check-pages.js'
import { OwnProcess, type OwnRequest, ROW_LIMITS } from './own-process.js'
import type { OwnProblem } from './problem.js'

/** A view, table, rule or watch of the user's own that binds, and how it answered on published data. */
export interface CheckedSql {
  readonly kind: OwnKind
  readonly name: string
  readonly comment: string
  readonly columns: number
  /** Undefined before the first publication, and where it did not answer. */
  readonly rows: number | undefined
  /** How long it took to count them. */
  readonly ms: number | undefined
}

export interface OwnCheck {
  readonly relations: readonly CheckedSql[]
  readonly pages: readonly CheckedPage[]
  readonly cases: readonly CaseResult[]
  readonly problems: readonly OwnProblem[]
}

/** Tries every file of the user's own without a run: binds it, runs its cases, and counts its rows in what is published. */
export async function checkOwnSql(home: string, signal: AbortSignal, effects: Effects): Promise<OwnCheck> {
  await using apart = new OwnProcess(signal)
  const { own, rules, watches, problems } = await apart.bind(home)
  const stale = new Set(problems.map(({ file }) => file))
  const current = own.filter(({ kind, name }) => !stale.has(ownFile(kind, name)))
  // Rules and watches as views, which are not published: so they are tried like these.
  const asViews = [
    ...rules.map(({ name, head, sql }) => viewOf('rule', name, sql, `${head.severity}: ${head.title}`)),
    ...watches.map(({ name, title, sql }) => viewOf('watch', name, sql, title)),
  ]
  const tried = [...current, ...asViews]
  const cases = await runCases(home, tried, effects)
  using folder = openTempFolder(home)
  const catalog = await copyWithOwn(home, folder.path, [...own, ...asViews], effects)
  const { counted, failures } = await countRows(home, catalog, tried, apart, effects)
  const ofPages = await triedPages(home, catalog, signal, effects)
  const ofCases = cases.flatMap(({ problem }) => problem ?? [])
  const all = [...problems, ...ofCases, ...failures, ...ofPages.problems]
  return { relations: counted, pages: ofPages.pages, cases, problems: all }
}

function viewOf(kind: OwnKind, name: string, sql: string, comment: string) {
  return { kind, name, sql, comment, columns: [] }
}

/** A copy of the catalog with the user's own views and tables; undefined before the first publication. */
async function copyWithOwn(
  home: string,
  folder: string,
  relations: readonly OwnView[],
  effects: Effects,
): Promise<string | undefined> {
  const catalog = join(home, 'catalog.duckdb')
  if (!existsSync(catalog)) return undefined
  const file = join(folder, 'check.duckdb')
  copyToWrite(catalog, file, effects.disk)
  const copy = await openFile(file, undefined)
  try {
    await copy.database.run(`DROP SCHEMA IF EXISTS ${MINE} CASCADE`)
    await installOwnViews(copy.database, relations)
  } finally {
    await copy.close()
  }
  return file
}

async function triedPages(
  home: string,
  catalog: string | undefined,
  signal: AbortSignal,
  effects: Effects,
): Promise<PagesCheck> {
  if (catalog === undefined) return await checkPages(home, undefined, signal, effects)
  // Its folder goes with it.
  using folder = openTempFolder(home)
  using reader = await openReader(catalog, [join(home, 'lake')], { spill: folder.path })
  return await checkPages(home, reader, signal, effects)
}

interface Counted {
  readonly counted: CheckedSql[]
  readonly failures: OwnProblem[]
}

async function countRows(
  home: string,
  catalog: string | undefined,
  tried: readonly Pick<CheckedSql, 'kind' | 'name' | 'comment'>[],
  apart: OwnProcess,
  effects: Effects,
): Promise<Counted> {
  const result: Counted = { counted: [], failures: [] }
  using folder = openTempFolder(home)
  const place = { lake: join(home, 'lake'), folder: folder.path, file: undefined, limits: ROW_LIMITS }
  for (const { kind, name, comment } of tried) {
    const about = { kind, name, comment }
    const outcome =
      catalog === undefined
        ? { ...about, columns: 0, rows: undefined, ms: undefined }
        : await countOf({ ...place, catalog }, about, apart, effects)
    if ('wrong' in outcome) result.failures.push(outcome)
    else result.counted.push(outcome)
  }
  return result
}

/** Computes all values of a view or table, apart: what a row lacks shows here and not when it is read. */
async function countOf(
  place: Omit<OwnRequest, 'sql'>,
  about: Pick<CheckedSql, 'kind' | 'name' | 'comment'>,
  apart: OwnProcess,
  effects: Effects,
): Promise<CheckedSql | OwnProblem> {
  const { kind, name } = about
  const began = effects.monotonic()
  const counting = `SELECT count(*), bit_xor(hash(counted)), (SELECT count(*) FROM duckdb_columns()
    WHERE schema_name = ${literal(MINE)} AND table_name = ${literal(name)}),
    ${kind === 'rule' ? "count(*) FILTER (WHERE result = 'break')" : '0'} FROM ${inMine(name)} counted`
  const counted = await apart.run({ ...place, sql: counting })
  if ('wrong' in counted) {
    const [wrong = ''] = counted.wrong.split('\n')
    return { file: ownFile(kind, name), line: undefined, wrong, next: undefined }
  }
  const [[rows, , columns, breaks] = []] = counted.rows
  const comment = kind === 'rule' ? `${about.comment} (${breaks} break it)` : about.comment
  return { ...about, comment, columns: Number(columns), rows: Number(rows), ms: effects.monotonic() - began }
}
