import { existsSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import type { Published } from '../e2e/proportion/support/differences.js'
import { sessionOf } from '../e2e/proportion/support/world.js'
import { snakeCase } from '../e2e/support/snake-case.js'
import type { SummaryRow } from '../standin/index.js'
import { lostValues } from './checks.js'
import { filesIn } from './disk.js'
import type { Disturbance } from './plan.js'
import { publishedIfAny } from './published.js'
import { happened } from './situations.js'
import type { World } from './world.js'

/**
 * What is done to the home and the service before a night.
 *
 * @param before what is published
 * @returns what is wrong, and the disturbances that came to effect
 */
export async function prepare(
  world: World,
  night: number,
  disturbances: readonly Disturbance[],
  before: Published | undefined,
): Promise<{ wrong: string[]; hit: ReadonlySet<Disturbance> }> {
  const hit = new Set<Disturbance>()
  for (const each of disturbances) {
    if (each.kind === 'typed') {
      const wrong = await typed(world, each.line, before)
      if (wrong.length > 0) return { wrong, hit }
      hit.add(each)
    }
    if (each.kind === 'file' && damageFile(world, each)) hit.add(each)
    if (each.kind === 'restated' && restated(world, each, sessionOf(night - 1), before)) hit.add(each)
    if (each.kind === 'imported') {
      const wrong = await imported(world, each, before)
      if (wrong.length > 0) return { wrong, hit }
      hit.add(each)
    }
    if (each.kind === 'advice') {
      const wrong = await advised(world, before)
      if (wrong.length > 0) return { wrong, hit }
    }
  }
  return { wrong: [], hit }
}

/** A command that changes nothing of what is published. */
async function typed(world: World, line: string, before: Published | undefined): Promise<string[]> {
  const ran = await world.type(line.split(' '))
  happened(`typed ${line.split(' /')[0]}, exit ${ran.code}`)
  if (ran.code === 1) return [`${line}: exit 1: ${ran.stderr}`]
  if (!before) return []
  const after = await publishedIfAny(world.cwd)
  if (!after) return [`${line}: nothing is published any more`]
  // A command may find what a night before had left.
  const gone = lostValues(before, after, world.restated)
  return gone.map((each) => `${line}: ${each}`)
}

/** A session of an earlier year, which the service of this world does not have. */
export const IMPORTED_DAY = '2024-03-05'

/** Brings one daily summary. */
async function imported(
  world: World,
  { symbol, close }: Extract<Disturbance, { kind: 'imported' }>,
  before: Published | undefined,
): Promise<string[]> {
  const [price, matched] = [String(close), '1200']
  const record = { open: price, high: price, low: price, close: price, totalMatch: matched }
  const columns = ['symbol', 'trading_date', ...Object.keys(record).map(snakeCase)]
  const file = join(world.options.root, 'imported.csv')
  writeFileSync(file, `${columns.join()}\n${[symbol, IMPORTED_DAY, ...Object.values(record)].join()}\n`)
  const summary = { symbol, tradingDate: IMPORTED_DAY.replaceAll('-', '/'), ...record } as SummaryRow
  world.imported.push({ ...world.standIn.market, summaries: [summary] })
  const wrong = await typed(world, `import market.daily_summary ${file}`, before)
  if (wrong.length > 0) return wrong
  const after = await publishedIfAny(world.cwd)
  const rows = [...(after?.get('market.daily_summary')?.values() ?? [])]
  const isThere = rows.some((row) => row.symbol === symbol && row.trading_date === IMPORTED_DAY)
  return isThere ? [] : [`what was imported of ${symbol} is not published`]
}

/** Types the commands that the conclusion of the last run advises. */
async function advised(world: World, before: Published | undefined): Promise<string[]> {
  const status = await world.type(['status', '--json'])
  const { conclusion } = status.json<{ conclusion?: { next?: { command: string }[] } }>()
  for (const { command } of conclusion?.next ?? []) {
    const line = command.replace(/^candlehouse /, '')
    if (/^(doctor|login)/.test(line)) continue
    const wrong = await typed(world, line, before)
    if (wrong.length > 0) return wrong
    happened(`advised ${line.split(' ')[0]}`)
  }
  return []
}

/** @returns whether there was such a file */
function damageFile(world: World, { where, how }: Extract<Disturbance, { kind: 'file' }>): boolean {
  const home = join(world.cwd, 'data')
  const file = {
    catalog: () => 'catalog.duckdb',
    manifest: () => 'lake/manifest.json',
    conclusion: () => 'logs/conclusion.json',
    lake: () =>
      existsSync(join(home, 'lake'))
        ? filesIn(join(home, 'lake'))
            .filter((each) => each.endsWith('.parquet'))
            .map((each) => relative(home, each))
            .sort()
            .at(world.options.seed % 7)
        : undefined,
  }[where]()
  if (!file) return false
  const path = join(home, file)
  try {
    const { size } = statSync(path)
    if (how === 'gone') rmSync(path)
    else if (how === 'cut') truncateSync(path, Math.floor(size / 2))
    else {
      const bytes = readFileSync(path)
      const at = Math.floor(size / 2)
      bytes[at] = (bytes[at] ?? 0) ^ 0xff
      writeFileSync(path, bytes)
    }
  } catch {
    return false
  }
  world.options.trace(`${file} is ${how}`)
  return true
}

const NOTHING = { summaries: [], indexSummaries: [], masterdata: [] }

/** @returns whether there was such a record */
function restated(
  world: World,
  { symbol, matched }: Extract<Disturbance, { kind: 'restated' }>,
  day: string,
  before: Published | undefined,
): boolean {
  const { market } = world.standIn
  const row = market.summaries.find(
    (each) => each.symbol === symbol && each.tradingDate.replaceAll('/', '-') === day,
  )
  if (!row || Number(row.totalMatch) === matched) return false
  const { summaries, indexSummaries, masterdata, daily, minutes } = market
  const former = structuredClone({ summaries, indexSummaries, masterdata, daily, minutes })
  world.formerMarkets.push({ ...market, ...former })
  const isOf = (record: { symbol?: string; trading_date?: string }): boolean =>
    record.symbol === symbol && record.trading_date === day
  // Bars that came before any summary: nothing shows that a summary was another one when they came (seed 216).
  if (![...(before?.get('market.daily_summary')?.values() ?? [])].some(isOf))
    world.unnoticed.push({ ...market, ...NOTHING, daily: former.daily, minutes: former.minutes })
  const value = String(Math.round(matched * Number(row.average)))
  market.restate(symbol, day, { totalMatch: String(matched), totalMatchValue: value })
  world.restated.add(`${symbol} ${day}`)
  return true
}

/** Holds the catalog open. @returns what ends it, and says what differs for the reader */
export async function openReader(cwd: string): Promise<(() => Promise<string[]>) | undefined> {
  const file = join(cwd, 'data/catalog.duckdb')
  const instance = await DuckDBInstance.create(file, { access_mode: 'READ_ONLY', threads: '1' }).catch(
    () => undefined,
  )
  if (!instance) return undefined
  const connection = await instance.connect()
  const count = async (): Promise<string> => {
    const reader = await connection.runAndReadAll(
      'SELECT count(*), sum(total_match), max(trading_date) FROM market.daily_summary',
    )
    return JSON.stringify(reader.getRowsJson())
  }
  const before = await count()
  return async () => {
    const after = await count().catch((error: Error) => error.message)
    connection.closeSync()
    instance.closeSync()
    return after === before ? [] : [`a reader who holds the catalog sees ${after} after ${before}`]
  }
}
