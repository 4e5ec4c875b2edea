import type { Effects } from '../effects.js'
import { firstRows } from '../read/first-rows.js'
import { runStatement, type StatementCatalog } from '../read/user-statement.js'
import type { Limits } from './limits.js'

/**
 * The first rows of a statement, as JSON.
 *
 * @throws UsageError also where the first row alone is longer than an answer may be
 */
export async function answerText(
  catalog: StatementCatalog,
  sql: string,
  limit: number,
  limits: Limits,
  cancel: AbortSignal,
  effects: Effects,
): Promise<string> {
  const bounds = { rows: Math.min(limit, limits.answerRows), bytes: limits.answerBytes }
  const { columns, texts, cut } = await firstRows(
    (sink) => runStatement(catalog, sql, sink, limits, cancel, effects),
    bounds,
  )
  return `{"columns":${JSON.stringify(columns)},"rows":[${texts.join(',')}],"truncated":${cut !== null}}`
}
