import type { TradingBoard } from 'candlehouse-foundation/market/board'
import type { Day } from 'candlehouse-foundation/market/day'
import { phases } from 'candlehouse-foundation/market/sessions'
import type { Phase } from './market-view.js'

/** A phase and the minute of the day (UTC+7) at which it begins. */
export interface PhaseStart {
  phase: Phase
  minute: number
}

const timetables = new Map<TradingBoard, Map<Day, readonly PhaseStart[]>>()

/** The phases of a session in their order: gaps between matching are lunch, and deals are `after`. */
export function timetable(board: TradingBoard, day: Day): readonly PhaseStart[] {
  const ofBoard = timetables.get(board) ?? new Map<Day, readonly PhaseStart[]>()
  timetables.set(board, ofBoard)
  const cached = ofBoard.get(day)
  if (cached) return cached
  const matching = phases(board, day).filter(({ phase }) => phase !== 'deal')
  const starts: PhaseStart[] = [{ phase: 'before', minute: 0 }]
  let until: number | undefined
  for (const { phase, starts: minute, ends } of matching) {
    if (until !== undefined && until < minute) starts.push({ phase: 'lunch', minute: until })
    starts.push({ phase: phase as Phase, minute })
    until = ends
  }
  starts.push({ phase: 'after', minute: until ?? 0 })
  ofBoard.set(day, starts)
  return starts
}

/** The phase of a board at a minute of a session's day; fractions are seconds. */
export function phaseAt(board: TradingBoard, day: Day, minute: number): Phase {
  return timetable(board, day).findLast((start) => start.minute <= minute)?.phase ?? 'before'
}

/** Minute at which the opening auction is crossed; undefined on boards without one. */
export function openingCross(board: TradingBoard, day: Day): number | undefined {
  const starts = timetable(board, day)
  const at = starts.findIndex(({ phase }) => phase === 'ato')
  return at < 0 ? undefined : starts[at + 1]?.minute
}

/** Minute at which the closing auction is crossed; undefined on boards without one. */
export function closingCross(board: TradingBoard, day: Day): number | undefined {
  const starts = timetable(board, day)
  const at = starts.findIndex(({ phase }) => phase === 'atc')
  return at < 0 ? undefined : starts[at + 1]?.minute
}
