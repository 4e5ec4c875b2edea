import type { Passing, Wire } from '../proxy.js'
import { any, type Mutation, onDay, type Target, text } from './mutation.js'

/** Lies about which records there are, and of which day. */
export const lists: Mutation[] = ['securitiesSummary', 'masterdata', 'ohlc'].flatMap(
  (endpoint): Mutation[] => {
    const mine = (target: Target, random: () => number): ((passing: Passing) => boolean) => {
      const symbol = any(target.stocks, random)
      return (passing) =>
        passing.endpoint === endpoint && (endpoint !== 'ohlc' || passing.query.symbol === symbol)
    }
    const counted = (passing: Passing, by: number): void => {
      const envelope = passing.body as Wire
      if (typeof envelope.itemsCount === 'number') envelope.itemsCount += by
    }
    const today = ({ records }: Passing, day: string): Wire[] => records.filter(onDay(day))
    const make =
      (what: (passing: Passing, target: Target, random: () => number) => boolean): Mutation['make'] =>
      (target, random) => {
        const meant = mine(target, random)
        return (passing) => meant(passing) && what(passing, target, random)
      }
    const drop = (passing: Passing, count: number, day: string): number => {
      const gone = new Set(today(passing, day).slice(0, count))
      const kept = passing.records.filter((record) => !gone.has(record))
      passing.records.splice(0, passing.records.length, ...kept)
      return gone.size
    }
    return [
      {
        name: `${endpoint}: a record is missing, the count says so`,
        make: make((passing, { day }) => drop(passing, 1, day) > 0),
      },
      {
        name: `${endpoint}: a record is missing, the count agrees`,
        make: make((passing, { day }) => {
          const gone = drop(passing, 1, day)
          counted(passing, -gone)
          return gone > 0
        }),
      },
      {
        name: `${endpoint}: half of the session is missing, the count agrees`,
        make: make((passing, { day }) => {
          const gone = drop(passing, Math.ceil(today(passing, day).length / 2), day)
          counted(passing, -gone)
          return gone > 0
        }),
      },
      {
        name: `${endpoint}: the session is missing, the count agrees`,
        make: make((passing, { day }) => {
          const gone = drop(passing, Number.MAX_SAFE_INTEGER, day)
          counted(passing, -gone)
          return gone > 0
        }),
      },
      {
        name: `${endpoint}: a record comes twice and is counted twice`,
        make: make((passing, { day }) => {
          const [first] = today(passing, day)
          if (!first) return false
          passing.records.push({ ...first, close: '1', ceiling: '1' })
          counted(passing, 1)
          return true
        }),
      },
      {
        name: `${endpoint}: a whole page comes twice`,
        make: make((passing) => {
          passing.records.push(...passing.records.map((record) => ({ ...record })))
          counted(passing, passing.records.length / 2)
          return passing.records.length > 0
        }),
      },
      {
        name: `${endpoint}: the count is one too many`,
        make: make((passing, { day }) => {
          counted(passing, 1)
          return today(passing, day).length > 0
        }),
      },
      {
        name: `${endpoint}: the session is that of the day before again`,
        make: make((passing, { day, dayBefore }) => {
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
        }),
      },
      {
        name: `${endpoint}: a record has the date of a Sunday`,
        make: make((passing, { day }) => {
          const [first] = today(passing, day)
          if (!first) return false
          first.tradingDate = text(first, 'tradingDate').replace(day, '2025/03/16')
          return true
        }),
      },
      {
        name: `${endpoint}: a record has no number where one belongs`,
        make: make((passing, { day }) => {
          const [first] = today(passing, day)
          if (!first) return false
          for (const field of ['close', 'ceiling']) if (field in first) first[field] = 'NaN'
          return true
        }),
      },
    ]
  },
)
