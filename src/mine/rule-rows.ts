import { join } from 'node:path'
import type { Day } from 'candlehouse-foundation/market/day'
import { TIMEFRAMES } from 'candlehouse-foundation/market/timeframe'
import { RULE_COLUMNS } from '../audit/own-rule.js'
import type { Rule } from '../audit/rule.js'
import { type Database, openDatabase } from '../duckdb/open.js'
import { literal, sqlTemplate } from '../duckdb/sqlfile.js'
import { openTempFolder } from '../home/home.js'
import { candleView } from '../lake/candle-view.js'
import { CANDLE } from '../lake/relation-view.js'
import { installObjects } from '../mart/install.js'
import { objectsBy, readsOf, restsOn } from '../mart/objects.js'
import { relations } from '../relations.js'
import type { OwnLimits, OwnProcess } from './own-process.js'

/** Of a rule: a check waits for it. Rows that hold are rows too. */
const RULE_LIMITS: OwnLimits = {
  ms: 60_000,
  rssBytes: 2 * 1024 ** 3,
  rows: 5_000_000,
  fileBytes: 1024 ** 3,
}

/** The stored bars in the file of the evidence; the view of bars is over them, as in the catalog. */
const STORED = 'market.stored_candle'

/**
 * Computes the rows of a rule of the user's own from what is loaded, before it is published, and puts them into temp table
 * `own_rule_row`. The statement runs apart, over a copy of what it reads of these sessions and of its reach: it
 * cannot write to the warehouse, read a file, or end the run.
 *
 * @returns what is wrong where it failed
 */
export async function computeRuleRows(
  warehouse: Database,
  home: string,
  { rule, sql }: { rule: Rule; sql: string },
  days: readonly Day[],
  apart: OwnProcess,
): Promise<string | undefined> {
  using folder = openTempFolder(home)
  const catalog = join(folder.path, 'evidence.duckdb')
  await copyEvidence(warehouse, catalog, { rule, sql }, days)
  const file = join(folder.path, 'rows.parquet')
  const place = { catalog, lake: folder.path, folder: folder.path, file }
  const texts = RULE_COLUMNS.map((name) => `CAST(${name} AS VARCHAR) AS ${name}`)
  const asTexts = `SELECT ${texts.join(', ')} FROM (\n${sql}\n)`
  const computed = await apart.run({ ...place, sql: asTexts, limits: RULE_LIMITS })
  if ('wrong' in computed) return computed.wrong
  await warehouse.run(
    sqlTemplate('mine/own_rule_row.sql', {
      file: literal(file),
      days: days.map(literal).join(', '),
      relations: relations.map(({ name }) => literal(name)).join(', '),
      is_market: String(rule.about === 'market'),
    }),
  )
  return undefined
}

/** Names with a schema in a statement, however they are written; too many do no harm. */
function namesIn(sql: string): string[] {
  const pairs = sql.matchAll(/"?\b([A-Za-z]\w*)"?\s*\.\s*"?(\w+)/g)
  return [...new Set([...pairs].map(([, schema = '', name = '']) => `${schema}.${name}`.toLowerCase()))]
}

async function copyEvidence(
  warehouse: Database,
  file: string,
  { rule, sql }: { rule: Rule; sql: string },
  days: readonly Day[],
): Promise<void> {
  const named = namesIn(sql).flatMap((name) => [...restsOn(name)])
  const view = candleView({ minutes: `FROM ${STORED}`, longer: `FROM ${STORED}` }, TIMEFRAMES)
  const hasBars = named.includes(CANDLE)
  const names = new Set([...named, ...(hasBars ? readsOf(view) : [])])
  const [first = '', last = first] = [days[0], days.at(-1)]
  await warehouse.run(`ATTACH ${literal(file)} AS own_evidence`)
  try {
    const schemas = new Set(['market', 'mart', ...relations.map(({ name }) => name.split('.')[0] ?? '')])
    await warehouse.run([...schemas].map((schema) => `CREATE SCHEMA own_evidence.${schema};`).join('\n'))
    for (const { name, layout } of relations.filter((relation) => names.has(relation.name))) {
      const window = `trading_date BETWEEN ${literal(first)}::DATE - ${rule.reach.back} AND ${literal(last)}::DATE`
      const where = layout === 'session' ? `WHERE ${window}` : ''
      const target = name === CANDLE ? STORED : name
      await warehouse.run(`CREATE TABLE own_evidence.${target} AS SELECT * FROM ${name} ${where}`)
    }
  } finally {
    await warehouse.run('DETACH own_evidence')
  }
  using evidence = await openDatabase(file)
  if (hasBars) await evidence.run(`CREATE VIEW ${CANDLE} AS ${view}`)
  const objects = objectsBy([...names])
  if (objects.length > 0) await installObjects(evidence, objects)
}
