import type { Board } from 'candlehouse-foundation/market/board'
import { addDays, type Day } from 'candlehouse-foundation/market/day'
import { countsInBoardTotals } from 'candlehouse-foundation/market/kind'
import { unit } from './hash.js'
import { boardAt, type Instrument, isListedAt } from './instrument.js'
import type { Timeline } from './timeline.js'

/** An index and how its members are chosen. */
export interface MarketIndex {
  code: string
  name: string
  board: Board
  /** Points about which it moves. */
  base: number
}

export const INDEXES: readonly MarketIndex[] = [
  { code: 'VNINDEX', name: 'VN-Index', board: 'HOSE', base: 1_250 },
  { code: 'VN30', name: 'VN30 Index', board: 'HOSE', base: 1_300 },
  { code: 'VN100', name: 'VN100 Index', board: 'HOSE', base: 1_280 },
  { code: 'VNALL', name: 'VNAllshare Index', board: 'HOSE', base: 1_270 },
  { code: 'VNMID', name: 'VNMidcap Index', board: 'HOSE', base: 1_850 },
  { code: 'VNSML', name: 'VNSmallcap Index', board: 'HOSE', base: 1_450 },
  { code: 'VNDIAMOND', name: 'VN Diamond Index', board: 'HOSE', base: 2_100 },
  { code: 'VNFINLEAD', name: 'VN Financial Select Sector Leaders Index', board: 'HOSE', base: 2_000 },
  { code: 'HNXINDEX', name: 'HNX Index', board: 'HNX', base: 230 },
  { code: 'HNX30', name: 'HNX30 Index', board: 'HNX', base: 480 },
  { code: 'UPCOMINDEX', name: 'UPCOM Index', board: 'UPCOM', base: 95 },
]

/** Members are reviewed on the first day of February and of August. */
function reviewTerm(day: Day): number {
  const year = Number(day.slice(0, 4))
  const month = Number(day.slice(5, 7))
  return year * 2 + (month >= 8 ? 1 : month >= 2 ? 0 : -1)
}

/** First sessions of the terms between two reviews, ascending, and the end of the last one. */
export function reviewTerms({ days }: Timeline): number[] {
  const begins = days.flatMap((day, session) => {
    const former = days[session - 1]
    return former === undefined || reviewTerm(former) !== reviewTerm(day) ? [session] : []
  })
  return [...begins, days.length]
}

/** Members of an index on a session, in the order of the universe. */
export function membersAt(
  code: string,
  instruments: readonly Instrument[],
  session: number,
  time: Timeline,
): Instrument[] {
  const index = INDEXES.find((candidate) => candidate.code === code)
  if (!index) return []
  const counted = instruments.filter(
    (instrument) =>
      isListedAt(instrument, session) &&
      boardAt(instrument, session) === index.board &&
      countsInBoardTotals(instrument.kind, index.board),
  )
  if (code.endsWith('INDEX')) return counted
  const term = reviewTerm(time.days[session] ?? addDays('2020-01-01', session))
  const stocks = counted.filter(({ kind }) => kind === 'stock')
  const ranked = stocks
    .map((instrument, place) => ({
      one: instrument,
      place: place + (place < 40 ? 6 * unit(instrument.path, term, 81) : 0),
    }))
    .sort((a, b) => a.place - b.place)
    .map(({ one: instrument }) => instrument)
  const largest = ranked.slice(0, 30)
  const next = ranked.slice(30, 100)
  switch (code) {
    case 'VN30':
    case 'HNX30':
      return largest
    case 'VNMID':
      return next
    case 'VN100':
      return [...largest, ...next]
    case 'VNSML':
      return ranked.slice(100)
    case 'VNALL':
      return ranked
    case 'VNFINLEAD':
      return ranked.slice(0, 40).filter(({ industry }) => industry.code.startsWith('8'))
    default:
      return ranked.slice(0, 60).filter(({ path }) => unit(path, term, 82) < 0.4)
  }
}
