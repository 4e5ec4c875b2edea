import { literal, sqlFile, sqlTemplate } from '../duckdb/sqlfile.js'
import type { LiveCatalog } from '../read/live-catalog.js'
import { type QueryResult, query } from '../read/query.js'
import { Refusal } from './response.js'

/** Statements of `sql/console` that pages ask for by name, each with its parameters. */
const VIEWS = {
  symbols: [],
  screener: ['session'],
  watchlist: ['symbols'],
  complete: ['text'],
  names: [],
  findings: [],
  finding_symbols: ['rule'],
  finding_history: ['rule', 'first'],
  offenders: ['rule', 'name', 'first'],
  relations: [],
  dictionary: [],
  news: [],
  coverage_map: ['timeframe'],
  coverage_sessions: [],
} as const satisfies Record<string, readonly string[]>

export type ViewName = keyof typeof VIEWS

/** Statements that those of pages include. */
const PARTS: Readonly<Record<string, readonly [part: string, path: string]>> = {
  coverage_map: ['session', 'console/coverage_sessions.sql'],
  finding_symbols: ['named_offender', 'console/named_offenders.sql'],
  offenders: ['named_offender', 'console/named_offenders.sql'],
}

/**
 * The rows of a page's statement. Parameters are put in as text literals, whatever they contain.
 *
 * @throws Refusal for a view or a parameter that does not exist · UsageError for a value that is not of its type
 */
export async function readView(
  catalog: LiveCatalog,
  name: string,
  parameters: URLSearchParams,
): Promise<QueryResult> {
  if (!isView(name)) throw new Refusal(404, `there is no view ${name}`)
  const names: readonly string[] = VIEWS[name]
  const missing = names.find((parameter) => !parameters.has(parameter))
  if (missing !== undefined) throw new Refusal(400, `parameter ${missing} is missing`)
  const parts = Object.fromEntries(
    names.map((parameter) => [parameter, literal(parameters.get(parameter) ?? '')]),
  )
  const [part, path] = PARTS[name] ?? []
  if (part && path) parts[part] = sqlFile(path)
  return await catalog.use(async (reader) => await query(reader, sqlTemplate(`console/${name}.sql`, parts)))
}

function isView(name: string): name is ViewName {
  return Object.hasOwn(VIEWS, name)
}
