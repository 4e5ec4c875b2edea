import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { gunzipSync } from 'node:zlib'
import {
  differences,
  type Published,
  type Row,
  shown,
  type Touch,
} from '../e2e/proportion/support/differences.js'
import { reportedBy } from '../e2e/proportion/support/reported.js'
import type { Ran } from '../support/program.js'
import { filesIn } from './disk.js'
import type { Expected } from './expected.js'
import { publishedIn } from './published.js'
import { comparedRows, falseValues } from './truth.js'
import type { Undisturbed } from './undisturbed.js'
import type { World } from './world.js'

const MOST_REQUESTS = 900
const LONGEST_MS = 4 * 3_600_000
/** A home of nine nights with two keys has 1,009: pages, Parquet files, logs. */
const MOST_FILES = 3000

export function codeIsWrong(ran: Ran, expected: readonly Expected[]): string[] {
  const most = Math.max(0, ...expected.map(({ codes }) => Math.min(...codes)))
  // What ends a night ends it, whatever else there was; 4 is more than 0.
  const allowed = new Set(
    expected.flatMap(({ codes }) => codes).filter((code) => code >= most || (code > 0 && code !== 4)),
  )
  if (expected.length === 0) allowed.add(0)
  if (!allowed.has(ran.code ?? 1)) return [`exit ${ran.code} where ${[...allowed].join(' or ')} is due`]
  if (ran.code !== 4) return []
  const isHidden = expected.some(({ hidesSymbols }) => hidesSymbols)
  return expected.flatMap(({ names, codes, hidesSymbols }) =>
    names && (hidesSymbols || !isHidden) && Math.min(...codes) === 4 && !names.test(reportedBy(ran))
      ? [`not named: ${names}`]
      : [],
  )
}

export function boundsOf(world: World, ran: Ran): string[] {
  const requests = world.standIn.requests.length
  world.standIn.requests.length = 0
  const wrong = requests > MOST_REQUESTS ? [`${requests} requests in one night`] : []
  const took = world.tookMs
  if (took > LONGEST_MS) wrong.push(`the night took ${Math.round(took / 60_000)} minutes`)
  if (ran.code === 1) wrong.push('exit 1: a bug of the program')
  const files = filesIn(world.cwd).length
  if (files > MOST_FILES) wrong.push(`the home has ${files} files`)
  return wrong
}

/** What is published wrongly, apart from differences that a disturbance may have caused. */
export async function undue(
  world: World,
  night: number,
  undisturbed: Undisturbed,
  touches: readonly Touch[],
): Promise<string[]> {
  const published = await publishedIn(world.cwd)
  const wrong = falseValues(published, [world.standIn.market, ...world.imported, ...world.unnoticed]).slice(
    0,
    5,
  )
  if (comparedRows(published) === 0) wrong.push('nothing could be compared with what the service served')
  const all = differences(undisturbed.rows(night), published)
  return [...wrong, ...shown(all.filter((each) => !touches.some((touch) => touch(each))))]
}

const FACTS = ['market.daily_summary', 'market.index_summary', 'market.price_limit', 'market.candle']
const KEYS = ['symbol', 'index_code', 'timeframe', 'trading_date', 'opened_at']
const keyOf = (row: Row): string => KEYS.map((name) => row[name] ?? '').join(' ')

/** Values that were published and are not any more, though the service never withdrew them. */
export function lostValues(before: Published, after: Published, restated: ReadonlySet<string>): string[] {
  return FACTS.flatMap((relation) => {
    const now = new Map([...(after.get(relation)?.values() ?? [])].map((row) => [keyOf(row), row]))
    return [...(before.get(relation)?.values() ?? [])].flatMap((row) => {
      if (
        restated.has(`${row.symbol} ${row.trading_date}`) ||
        (restated.size > 0 && relation === 'market.index_summary')
      )
        return []
      const other = now.get(keyOf(row))
      if (!other) return [`${relation} ${keyOf(row)} was published, and is gone`]
      return Object.entries(row).flatMap(([name, value]) =>
        value === null || other[name] === value || name === 'is_current'
          ? []
          : [`${relation} ${keyOf(row)}: ${name} was ${value}, and is ${other[name]}`],
      )
    })
  }).slice(0, 6)
}

/** No secret stands in a file of the home but the session's own. */
export function secretsIn(world: World): string[] {
  const { secrets } = world
  return filesIn(world.cwd).flatMap((file) => {
    if (/(^|\/)session[^/]*$/.test(file)) return []
    const bytes = readFileSync(file)
    const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('latin1')
    const found = secrets.find((secret) => text.includes(secret))
    return found === undefined ? [] : [`${relative(world.cwd, file)} holds a secret`]
  })
}
