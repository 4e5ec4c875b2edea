import { addDays, dayOf } from 'candlehouse-foundation/market/day'
import type { Query } from '../contract.js'
import type { RowOf } from '../decode/rows.js'
import type { Accounts } from '../facets.js'
import { type Day, parseDay } from '../values.js'
import { type ListEndpoint, type ListReading, readWholeList } from './whole-list.js'

/** Days on either side of the service's day, and where no `Date` header shows that day. */
const MARGIN_DAYS = 1
const MARGIN_DAYS_WITHOUT_DATE = 2

/** Days on either side that stand for the whole list where the list without dates is not the whole. */
const WIDE_DAYS = 366

/** Where the service's clock and this machine's are so far apart, the book may live by either. */
const CLOCKS_DIFFER_MS = 12 * 3_600_000

/** What is searched, and how its records are known. */
export interface Search<E extends ListEndpoint> {
  readonly endpoint: E
  /** Query of the list from one day to another; without days: the whole list. */
  query(days: { from?: Day; to?: Day }): Query
  idOf(row: RowOf[E]): string | null
  isMatch(row: RowOf[E]): boolean
  /** Whether a record that does not match may be the order all the same, since it does not show what is compared. */
  isCandidate(row: RowOf[E]): boolean
  /** Whether one match settles the search: no other order can be meant. */
  readonly isUnique: boolean
  /** When the write was sent, epoch milliseconds of this machine's clock. */
  readonly sentAt: number
  /** Days before the write on which the order may have been entered. */
  readonly enteredBeforeDays: number
}

export interface Lookup<Row> {
  readonly matches: readonly Row[]
  readonly candidates: readonly Row[]
  /** Why an order that was not found may exist all the same; undefined when the whole list was read and counted. */
  readonly doubt: string | undefined
  /** When the write was sent, by the service's clock; undefined when no answer had a `Date` header. */
  readonly sentAtService: number | undefined
}

/**
 * Searches a list for what a lost write left in it. Neither clock is believed alone: the list without dates is read
 * whole, and the days around the service's day (docs/decisions/0038-absent-only-from-a-counted-book.md). What the
 * service does without dates is not stated (docs/brokerage-api.md#orderbook), so a list that lacks a record the other
 * one has is not the whole; then, and where the two clocks are
 * far apart, a year on either side is read.
 *
 * @throws what the facet throws
 */
export async function lookUp<E extends ListEndpoint>(
  accounts: Pick<Accounts, 'get'>,
  search: Search<E>,
  signal: AbortSignal | undefined,
): Promise<Lookup<RowOf[E]>> {
  const readings: ListReading<RowOf[E]>[] = []
  const matches = new Map<string, RowOf[E]>()
  const candidates = new Map<string, RowOf[E]>()
  let clockOffset: number | undefined
  const isSettled = (): boolean => search.isUnique && matches.size > 0
  const read = async (days: { from?: Day; to?: Day }): Promise<void> => {
    const { endpoint, idOf } = search
    const isDecisive = (row: RowOf[E]): boolean => search.isUnique && search.isMatch(row)
    const reading = await readWholeList(accounts, endpoint, search.query(days), { idOf, isDecisive, signal })
    readings.push(reading)
    clockOffset ??= reading.clockOffset
    for (const [id, row] of reading.rows)
      if (search.isMatch(row)) matches.set(id, row)
      else if (search.isCandidate(row)) candidates.set(id, row)
  }
  const isDated = (): boolean => clockOffset !== undefined
  const around = (margin: number, before: number): { from: Day; to: Day } => {
    const day = dayOf(search.sentAt + (clockOffset ?? 0))
    return { from: parseDay(addDays(day, -margin - before)), to: parseDay(addDays(day, margin)) }
  }

  await read({})
  if (!isSettled())
    await read(around(isDated() ? MARGIN_DAYS : MARGIN_DAYS_WITHOUT_DATE, search.enteredBeforeDays))
  const [undated, dated] = readings
  if (!isSettled() && dated?.gap === undefined && undated) {
    const clocksDiffer = Math.abs(clockOffset ?? 0) > CLOCKS_DIFFER_MS
    if (clocksDiffer || gapOf(undated, readings) !== undefined) {
      const days = [search.sentAt, search.sentAt + (clockOffset ?? 0)].map(dayOf).sort()
      const [first = '', last = ''] = days
      await read({ from: parseDay(addDays(first, -WIDE_DAYS)), to: parseDay(addDays(last, WIDE_DAYS)) })
    }
  }
  const sentAtService = clockOffset === undefined ? undefined : search.sentAt + clockOffset
  return {
    matches: [...matches.values()],
    candidates: [...candidates.values()],
    doubt: doubtOf(readings, sentAtService),
    sentAtService,
  }
}

function doubtOf<Row>(
  readings: readonly ListReading<Row>[],
  sentAtService: number | undefined,
): string | undefined {
  const [undated, dated, wide] = readings
  if (!undated || !dated) return 'not read to its end'
  const gap = dated.gap ?? gapOf(wide ?? undated, readings)
  if (gap !== undefined) return gap
  if (sentAtService === undefined) return "no answer had a Date header, so the service's day is not known"
  return undefined
}

/** Why a reading is not the whole list: by itself, or because another reading shows more. */
function gapOf<Row>(reading: ListReading<Row>, readings: readonly ListReading<Row>[]): string | undefined {
  if (reading.gap !== undefined) return reading.gap
  for (const other of readings) {
    for (const id of other.rows.keys())
      if (!reading.ids.has(id)) return `the list lacks ${id}, which it showed for other days or before`
    if (other.highestCount > reading.highestCount)
      return `the list counts ${reading.highestCount} records and counted ${other.highestCount} for other days or before`
  }
  return undefined
}
