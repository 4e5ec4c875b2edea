import { StorageError } from '../errors.js'
import { isTradingBoard, type TradingBoard } from './board.js'
import { type Day, instantOf, minuteOfDay } from './day.js'
import { cell, holdsOn, readReference } from './reference.js'

/** Opening auction, continuous matching, closing auction, post-close at the closing price, negotiated deals. */
export const PHASES = ['ato', 'continuous', 'atc', 'plo', 'deal'] as const
type Phase = (typeof PHASES)[number]

/** One phase of a trading day, in minutes after midnight (UTC+7); `ends` is not part of it. */
export interface SessionPhase {
  board: TradingBoard
  phase: Phase
  starts: number
  ends: number
  validFrom: Day
  validTo: Day | ''
}

/** Start minutes of the one-minute bars a board can have; `optional` ones appear in some feeds only. */
export interface Grid {
  minutes: readonly number[]
  optional: readonly number[]
}

const MINUTE_MS = 60_000

let table: readonly SessionPhase[] | undefined

/** The phases of all boards and eras, in the order of the table. */
export function sessionPhases(): readonly SessionPhase[] {
  table ??= loadSessions()
  return table
}

function loadSessions(): readonly SessionPhase[] {
  const columns = ['board', 'phase', 'starts', 'ends', 'valid_from', 'valid_to']
  return readReference('sessions', columns).map((row) => {
    const board = cell(row, 'board')
    const phase = cell(row, 'phase')
    if (!isTradingBoard(board) || !isPhase(phase)) {
      throw new StorageError(`sessions.csv: unknown board or phase '${board},${phase}'`)
    }
    return {
      board,
      phase,
      starts: minuteOfDay(cell(row, 'starts')),
      ends: minuteOfDay(cell(row, 'ends')),
      validFrom: cell(row, 'valid_from'),
      validTo: cell(row, 'valid_to'),
    }
  })
}

function isPhase(text: string): text is Phase {
  return (PHASES as readonly string[]).includes(text)
}

/** The phases of a board on a day, in the order of the table: by start. */
export function phases(board: TradingBoard, day: Day): SessionPhase[] {
  return sessionPhases().filter((row) => row.board === board && holdsOn(row, day))
}

/** Epoch milliseconds at which the day's last board closes. @throws RangeError before the first session of all */
export function closeInstant(day: Day): number {
  return instantOf(day) + Math.max(...minutesOf(day).map(({ ends }) => ends)) * MINUTE_MS
}

/** Epoch milliseconds at which the day's first board opens. @throws RangeError before the first session of all */
export function openInstant(day: Day): number {
  return instantOf(day) + Math.min(...minutesOf(day).map(({ starts }) => starts)) * MINUTE_MS
}

/** The phases of all boards on a day. */
function minutesOf(day: Day): readonly SessionPhase[] {
  const rows = sessionPhases().filter((row) => holdsOn(row, day))
  if (rows.length === 0) throw new RangeError(`sessions.csv has no hours of ${day}`)
  return rows
}

/**
 * The one-minute bars a board can have on a day. Bars are labelled by their start. The opening auction is
 * part of the first continuous bar; the closing auction is one bar at its end (14:45). The minutes at which
 * continuous trading stops (11:30, 14:30) and post-close minutes are optional (docs/market-facts.md#minute-bars).
 */
export function grid(board: TradingBoard, day: Day): Grid {
  const minutes: number[] = []
  const optional: number[] = []
  for (const { phase, starts, ends } of phases(board, day)) {
    if (phase === 'continuous') {
      for (let minute = starts; minute < ends; minute++) minutes.push(minute)
      optional.push(ends)
    } else if (phase === 'atc') minutes.push(ends)
    else if (phase === 'plo') for (let minute = starts + 1; minute <= ends; minute++) optional.push(minute)
  }
  return { minutes, optional }
}
