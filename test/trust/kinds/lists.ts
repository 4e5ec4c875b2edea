import type { Mutate, Passing, Wire } from '../proxy.js'
import { any, type Mutation, onDay, type Target, text } from './mutation.js'

/** Changes the answer; whether there was something to change. */
type Lie = (passing: Passing, target: Target) => boolean

/** Lies about the records of the session, and how many there are. */
const LIES: Readonly<Record<string, Lie>> = {
  'a record is missing, the count says so': (passing, { day }) => drop(passing, 1, day) > 0,
  'a record is missing, the count agrees': (passing, { day }) => dropAndCount(passing, 1, day),
  'half of the session is missing, the count agrees': (passing, { day }) =>
    dropAndCount(passing, Math.ceil(today(passing, day).length / 2), day),
  'the session is missing, the count agrees': (passing, { day }) =>
    dropAndCount(passing, Number.MAX_SAFE_INTEGER, day),
  'a record comes twice and is counted twice'(passing, { day }) {
    const [first] = today(passing, day)
    if (!first) return false
    passing.records.push({ ...first, close: '1', ceiling: '1' })
    addToCount(passing, 1)
    return true
  },
  'a whole page comes twice'(passing) {
    passing.records.push(...passing.records.map((record) => ({ ...record })))
    addToCount(passing, passing.records.length / 2)
    return passing.records.length > 0
  },
  'the count is one too many'(passing, { day }) {
    addToCount(passing, 1)
    return today(passing, day).length > 0
  },
  'the session is that of the day before again': repeatDayBefore,
  'a record has the date of a Sunday'(passing, { day }) {
    const [first] = today(passing, day)
    if (!first) return false
    first.tradingDate = text(first, 'tradingDate').replace(day, '2025/03/16')
    return true
  },
  'a record has no number where one belongs'(passing, { day }) {
    const [first] = today(passing, day)
    if (!first) return false
    for (const field of ['close', 'ceiling']) if (field in first) first[field] = 'NaN'
    return true
  },
}

/** Lies about which records there are, and of which day. */
export const lists: Mutation[] = ['securitiesSummary', 'masterdata', 'ohlc'].flatMap((endpoint) =>
  Object.entries(LIES).map(([name, lie]) => ({
    name: `${endpoint}: ${name}`,
    make: (target, random) => toEndpoint(endpoint, lie, target, random),
  })),
)

/** Lies in the answers of an endpoint; of candles, in those of one symbol. */
function toEndpoint(endpoint: string, lie: Lie, target: Target, random: () => number): Mutate {
  const symbol = any(target.stocks, random)
  return (passing) => {
    if (passing.endpoint !== endpoint) return false
    if (endpoint === 'ohlc' && passing.query.symbol !== symbol) return false
    return lie(passing, target)
  }
}

function today({ records }: Passing, day: string): Wire[] {
  return records.filter(onDay(day))
}

function addToCount({ body }: Passing, more: number): void {
  const envelope = body as Wire
  if (typeof envelope.itemsCount === 'number') envelope.itemsCount += more
}

/** Removes the first records of the session; how many there were. */
function drop(passing: Passing, count: number, day: string): number {
  const gone = new Set(today(passing, day).slice(0, count))
  const kept = passing.records.filter((record) => !gone.has(record))
  passing.records.splice(0, passing.records.length, ...kept)
  return gone.size
}

function dropAndCount(passing: Passing, count: number, day: string): boolean {
  const gone = drop(passing, count, day)
  addToCount(passing, -gone)
  return gone > 0
}

function repeatDayBefore(passing: Passing, { day, dayBefore }: Target): boolean {
  const before = passing.of(dayBefore)
  drop(passing, Number.MAX_SAFE_INTEGER, day)
  passing.records.push(
    ...before.map((record) => ({
      ...record,
      tradingDate: text(record, 'tradingDate').replace(dayBefore, day),
    })),
  )
  const envelope = passing.body as Wire
  if (typeof envelope.itemsCount === 'number') envelope.itemsCount = passing.records.length
  return before.length > 0
}
