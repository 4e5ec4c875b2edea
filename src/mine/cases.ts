import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Database } from '../duckdb/open.js'
import { identifier, literal } from '../duckdb/sqlfile.js'
import type { Effects } from '../effects.js'
import { createOwnView, inMine, type OwnView } from '../lake/own-views.js'
import type { OwnProblem } from './problem.js'
import { openScratch } from './scratch.js'

/** Folder of the cases of the user's own views, below the home: `sql/cases/VIEW/CASE/`. */
const CASES = join('sql', 'cases')

const EXPECTED = 'expected.csv'

/** How a case ended: undefined where the view gives what is expected. */
export interface CaseResult {
  readonly view: string
  readonly name: string
  readonly problem: OwnProblem | undefined
}

/**
 * Runs the cases of views: each is a folder with a CSV file for each relation that is given (`market.daily_summary.csv`) and
 * `expected.csv`, which has the columns that it compares. An empty cell is null; rows have no order.
 */
export async function runCases(
  home: string,
  views: readonly OwnView[],
  effects: Pick<Effects, 'disk'>,
): Promise<CaseResult[]> {
  const results: CaseResult[] = []
  for (const { name: view } of views) {
    const folder = join(home, CASES, view)
    const cases = existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : []
    for (const { name } of cases.filter((entry) => entry.isDirectory())) {
      const wrong = await differenceOf(home, { view, name }, views, effects)
      const file = join(CASES, view, name, EXPECTED)
      const problem = wrong === undefined ? undefined : { file, line: undefined, next: undefined, wrong }
      results.push({ view, name, problem })
    }
  }
  return results
}

async function differenceOf(
  home: string,
  { view, name }: Pick<CaseResult, 'view' | 'name'>,
  views: readonly OwnView[],
  effects: Pick<Effects, 'disk'>,
): Promise<string | undefined> {
  const folder = join(home, CASES, view, name)
  try {
    const fill = async (database: Database): Promise<void> => await give(database, folder)
    using scratch = await openScratch(home, fill, effects)
    const { database } = scratch
    for (const each of views) await createOwnView(database, each)
    const columns = await database.rows<{ column_name: string; column_type: string }>(
      `DESCRIBE ${inMine(view)}`,
    )
    const types = new Map(columns.map((column) => [column.column_name, column.column_type]))
    const names = columnsOf(join(folder, EXPECTED))
    const unknown = names.find((column) => !types.has(column))
    if (unknown !== undefined) return `mine.${view} has no column ${unknown}`
    const actual = await texts(database, inMine(view), names, types)
    const wanted = await texts(database, 'given_rows.expected', names, types)
    return differenceBetween(actual, wanted, names)
  } catch (cause) {
    return (cause as Error).message.split('\n')[0]
  }
}

/** Replaces the relations that a case gives by its rows. */
async function give(database: Database, folder: string): Promise<void> {
  if (!existsSync(join(folder, EXPECTED))) throw new RangeError('the case has no such file')
  await database.run('CREATE SCHEMA given_rows')
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.csv'))) {
    const rows = `read_csv(${literal(join(folder, file))}, header = true, all_varchar = true, delim = ',')`
    if (file === EXPECTED) {
      await database.run(`CREATE TABLE given_rows.expected AS FROM ${rows}`)
      continue
    }
    const relation = file.slice(0, -'.csv'.length)
    const [schema = '', name = ''] = relation.split('.')
    const shown = `${identifier(schema)}.${identifier(name)}`
    const table = `given_rows.${identifier(relation)}`
    await database.run(
      `CREATE TABLE ${table} AS FROM ${shown} LIMIT 0; INSERT INTO ${table} BY NAME FROM ${rows};
       CREATE OR REPLACE VIEW ${shown} AS FROM ${table}`,
    )
  }
}

function columnsOf(file: string): string[] {
  const [header = ''] = readFileSync(file, 'utf8').split(/\r?\n/)
  return header.split(',').map((name) => name.trim())
}

/** Rows as text, in order: values by way of their type, so that 27050 and 27050.00 are the same; floating point to nine digits. */
async function texts(
  database: Database,
  relation: string,
  names: readonly string[],
  types: ReadonlyMap<string, string>,
): Promise<string[]> {
  const columns = names.map((name) => {
    const type = types.get(name) ?? 'VARCHAR'
    const value = `CAST(${identifier(name)} AS ${type})`
    const rounded = type === 'DOUBLE' || type === 'FLOAT' ? `format('{:.9g}', ${value})` : value
    return `CAST(${rounded} AS VARCHAR)`
  })
  return await database.column<string>(
    `SELECT concat_ws(', ', ${columns.map((column) => `coalesce(${column}, 'null')`).join(', ')}) AS row FROM ${relation} ORDER BY row`,
  )
}

function differenceBetween(
  actual: readonly string[],
  wanted: readonly string[],
  names: readonly string[],
): string | undefined {
  const [missing, extra] = [without(wanted, actual), without(actual, wanted)]
  if (missing.length === 0 && extra.length === 0) return undefined
  const [first, second] = [missing[0], extra[0]]
  const said = [
    first === undefined ? '' : `the view lacks (${first})`,
    second === undefined ? '' : `the view has (${second})`,
  ]
  const more = missing.length + extra.length - said.filter(Boolean).length
  const rest = more > 0 ? `, and ${more} more` : ''
  return `by ${names.join(', ')}: ${said.filter(Boolean).join(', instead ')}${rest}`
}

/** Rows of a list beyond those of another; a row that stands twice has to stand twice there. */
function without(rows: readonly string[], others: readonly string[]): string[] {
  const left = [...others]
  return rows.filter((row) => {
    const at = left.indexOf(row)
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
}
