import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { runRule } from '../../src/audit/check.js'
import { emptyUnrecorded, prepareAccounts, prepareMarket } from '../../src/audit/prepare.js'
import { readRules } from '../../src/audit/rule.js'
import type { Database } from '../../src/duckdb/open.js'
import { identifier, literal } from '../../src/duckdb/sqlfile.js'
import { refreshMaterialized } from '../../src/mart/materialized.js'
import { packageRoot } from '../../src/package.js'
import { emptyWarehouse } from '../support/memory.js'

/** Tables of a home that the oracle has recomputed, a Parquet file a relation. */
export const WORLD = join(packageRoot, 'test/recorded/world')

/** Relations whose rows are marked as changed, so that the kept tables of schema mart are made of them. */
const SOURCES = ['market.price_limit', 'market.daily_summary', 'market.candle', 'market.index_summary']

/** A warehouse in memory with the rows of the recorded home. @param change what is done to them first */
export async function recordedWarehouse(
  change: (database: Database) => Promise<void> = async () => {},
): Promise<Database> {
  const database = await emptyWarehouse()
  for (const file of readdirSync(WORLD).sort()) {
    const relation = file.slice(0, -'.parquet'.length)
    await database.run(`DELETE FROM ${relation}`)
    await database.run(
      `INSERT INTO ${relation} BY NAME SELECT * FROM read_parquet(${literal(join(WORLD, file))}, hive_partitioning = false)`,
    )
  }
  await change(database)
  for (const relation of SOURCES)
    await database.run(
      `INSERT INTO ops.dirty_partition SELECT DISTINCT ${literal(relation)}, CAST(trading_date AS VARCHAR) FROM ${relation}`,
    )
  await refreshMaterialized(database)
  return database
}

/**
 * What a query answers: `rows`, the digest of all values of all rows (`whole`), and for each column a number that tells which of
 * them changed. Their order does not matter.
 */
export type Answer = Readonly<Record<string, string>>

/** A column as text. Six digits of a DOUBLE: processors differ in the last ones. */
function asText(column: string, type: string): string {
  const name = identifier(column)
  if (type !== 'DOUBLE' && type !== 'FLOAT') return `CAST(${name} AS VARCHAR)`
  return `CASE WHEN abs(${name}) < 1e-9 THEN '0' ELSE printf('%.5e', ${name}) END`
}

/** Beyond so many rows, one in `PART` counts for the numbers of the columns: MD5 of every value took half of the test's time. */
const MANY_ROWS = 10_000
const PART = 16

/** @param query a FROM clause, or a statement in parentheses */
export async function answerOf(database: Database, query: string): Promise<Answer> {
  const columns = await database.rows<{ column_name: string; column_type: string }>(`DESCRIBE FROM ${query}`)
  const texts = columns.map(({ column_name, column_type }) => asText(column_name, column_type))
  const whole = `md5_number_lower(concat_ws('|', ${texts.map((text) => `coalesce(${text}, 'null')`).join(', ')}))`
  // Each value stands beside the others of its row: values that changed places are seen too.
  const sums = columns.map(
    ({ column_name }, index) =>
      `CAST(sum(CASE WHEN is_counted THEN CAST(md5_number_lower(concat(coalesce(${texts[index]}, 'null'))) AS HUGEINT) END) AS VARCHAR) AS ${identifier(column_name)}`,
  )
  const [answer] = await database.rows<Record<string, string | null>>(
    `WITH answer AS MATERIALIZED (FROM ${query}),
       digest AS (SELECT *, ${whole} AS digest_of_row FROM answer),
       counted AS (
         SELECT *, digest_of_row % ${PART} = 0 OR (SELECT count(*) <= ${MANY_ROWS} FROM answer) AS is_counted FROM digest
       )
     SELECT CAST(count(*) AS VARCHAR) AS rows, CAST(sum(CAST(digest_of_row AS HUGEINT)) AS VARCHAR) AS whole, ${sums.join(', ')}
     FROM counted`,
  )
  return Object.fromEntries(Object.entries(answer ?? {}).map(([name, sum]) => [name, short(sum)]))
}

/** The last digits of a sum: a difference shows in them. */
function short(sum: string | null): string {
  return sum === null ? '' : sum.slice(-9)
}

/** Answers as their file has them. */
export const shown = (answers: unknown): string => `${JSON.stringify(answers, null, 2)}\n`

/** The results of every rule on some sessions, and of those about accounts on their evenings. */
export async function ruleAnswers(
  database: Database,
  sessions: readonly string[],
): Promise<Record<string, Answer>> {
  const answers: Record<string, Answer> = {}
  await emptyUnrecorded(database)
  const market = await prepareMarket(database, sessions)
  const rules = readRules()
  const results = new Map<number, string[]>()
  const run = async (rule: (typeof rules)[number], subjects: typeof market): Promise<void> => {
    const found = await runRule(database, rule, subjects, new Set())
    const lines = found.map(({ subject, tradingDate, state, checked, offenders }) =>
      [subject, tradingDate, state, checked, offenders].join(' '),
    )
    results.set(rule.number, [...(results.get(rule.number) ?? []), ...lines])
  }
  for (const rule of rules.filter(({ about }) => about === 'market')) await run(rule, market)
  for (const asOf of sessions) {
    const accounts = await prepareAccounts(database, asOf)
    for (const rule of rules.filter(({ about }) => about !== 'market')) await run(rule, accounts)
  }
  for (const { number } of rules) {
    const offenders = await answerOf(database, `(SELECT * FROM offender WHERE rule = ${number})`)
    answers[`rule ${number}`] = { results: summary(results.get(number) ?? []), ...offenders }
  }
  return answers
}

/** How many results there are of each state, and which. */
function summary(lines: readonly string[]): string {
  return [...lines].sort().join('; ')
}
