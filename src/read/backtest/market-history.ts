import { UsageError } from 'candlehouse-foundation/errors'
import { nearestNames } from 'candlehouse-foundation/nearest-names'
import type { Reader } from '../../duckdb/reader.js'
import { literal, sqlTemplate } from '../../duckdb/sqlfile.js'
import { requireInOrder } from '../export/selection.js'
import { didYouMean } from '../published-names.js'
import { objectsOf } from '../query.js'

/** What a backtest is to run over. */
export interface HistoryRange {
  /** First and last trading date; open where they are undefined. */
  from?: string | undefined
  to?: string | undefined
  /** `all`, or an index: the stocks that were its members at any time of the range. */
  universe: string
  /** ISO, with a zone: the history is of a catalog as it was known at this instant. */
  asKnownOn?: string | undefined
}

export interface Instrument {
  symbol: string
  /** Trading dates of its first and last session within the range; `last_session` is null while it is listed. */
  first_session: string
  last_session: string | null
  board: string | null
  name: string
  /** Shares. */
  lot_size: number
  /** Prices of sessions before it do not compare with those after it: an adjustment between is not known. Null: all compare. */
  factors_known_from: string | null
}

/** A session of a stock, raw, VND; prices are null where nothing matched. `sql/read/backtest/days.sql` */
export interface DayBar {
  symbol: string
  session: string
  open: number | null
  high: number | null
  low: number | null
  close: number | null
  average: number | null
  volume: number | null
  value: number | null
  factor: number
  event_factor: number
  /** Part of event_factor that is from shares, without cash; all of it where no declaration says so. */
  share_factor: number
  is_at_ceiling: boolean | null
  is_at_floor: boolean | null
}

/** A bar of one minute, raw, VND. `sql/read/backtest/minutes.sql` */
export interface MinuteBar {
  symbol: string
  minute: string
  open: number
  high: number
  low: number
  close: number
  volume: number
  factor: number
}

/** The close of an index, points. `sql/read/backtest/index_days.sql` */
export interface IndexDay {
  symbol: string
  session: string
  close: number
  volume: number | null
}

/** A member of an index, with the trading dates of one stay. */
export interface Member {
  index_code: string
  symbol: string
  first_session: string
  last_session: string
}

interface Rows {
  days: DayBar
  minutes: MinuteBar
  index_days: IndexDay
}

const RANGE = ['first_day', 'last_day'] as const
const OF_MEMBERS = [...RANGE, 'is_member'] as const

type Part = (typeof OF_MEMBERS)[number]

/** The statements of `sql/read/backtest` that a history asks, with the parts that each names. */
const STATEMENTS = {
  sessions: RANGE,
  members: RANGE,
  instruments: OF_MEMBERS,
  days: OF_MEMBERS,
  minutes: OF_MEMBERS,
  index_days: RANGE,
  hours: ['last_day'],
  minute_calendar: RANGE,
  minute_count: RANGE,
} as const satisfies Readonly<Record<string, readonly Part[]>>

type StatementName = keyof typeof STATEMENTS

function statement(name: StatementName, parts: Readonly<Record<Part, string>>): string {
  const named = STATEMENTS[name].map((part: Part) => [part, parts[part]])
  return sqlTemplate(`read/backtest/${name}.sql`, Object.fromEntries(named))
}

/** All statements of a history, of a range and a universe that leave nothing out: what they read is what a history reads. */
export function historyStatements(): string[] {
  return (Object.keys(STATEMENTS) as StatementName[]).map((name) => statement(name, partsOfRange({}, 'true')))
}

function partsOfRange(
  { from = EARLIEST, to = LATEST }: Pick<HistoryRange, 'from' | 'to'>,
  is_member: string,
) {
  return { first_day: `DATE ${literal(from)}`, last_day: `DATE ${literal(to)}`, is_member }
}

/** The market of a range, of one publication. */
export interface MarketHistory {
  readonly sessions: readonly { session: string; is_stored: boolean }[]
  readonly instruments: readonly Instrument[]
  readonly members: readonly Member[]
  /** Of a universe that is an index: the first session of which its members are known, where that is later than the range. */
  readonly members_known_from: string | null
  /** Hours in which shares are matched at the end of the range, exchange time: the morning and the afternoon. */
  hours(): Promise<{ starts: string; ends: string }[]>
  /** Minutes of exchange time in which a bar of any stock begins. */
  minutes(): Promise<string[]>
  /** The bars of each symbol in turn, in the order of time: memory does not grow with the market. */
  bySymbol<Name extends keyof Rows>(
    name: Name,
    onSymbol: (symbol: string, rows: Rows[Name][]) => Promise<void>,
  ): Promise<void>
}

const [EARLIEST, LATEST] = ['1900-01-01', '2999-12-31']

/** @throws UsageError for an index that no list names, and where the range has no session */
export async function marketHistory(reader: Reader, range: HistoryRange): Promise<MarketHistory> {
  requireInOrder(range)
  const everybody = partsOfRange(range, 'true')
  const rows = async <Row>(name: StatementName, parts = everybody): Promise<Row[]> =>
    await objectsOf<Row>(reader, statement(name, parts))
  const sessions = await rows<MarketHistory['sessions'][number]>('sessions')
  if (sessions.length === 0)
    throw new UsageError(`no daily summary is stored ${rangeWords(range)}`, {
      hint: 'candlehouse status    # which sessions are stored',
    })
  const members = await rows<Member>('members')
  const is_member = membership(range.universe, members)
  if (is_member === undefined) throw noMembers(range, await rows<Member>('members', partsOfRange({}, 'true')))
  const instruments = await rows<Instrument>('instruments', partsOfRange(range, is_member))
  const rowsOf = {
    days: async () => sessions.length * instruments.length,
    minutes: async () => Number((await rows<{ bars: number | string }>('minute_count'))[0]?.bars ?? 0),
    index_days: async () => 0,
  }
  return {
    sessions,
    members,
    members_known_from: knownFrom(range.universe, members, sessions[0]?.session ?? ''),
    instruments,
    hours: async () => await rows('hours'),
    minutes: async () => (await rows<{ minute: string }>('minute_calendar')).map(({ minute }) => minute),
    bySymbol: async (name, onSymbol) => {
      for (const condition of partsOf(instruments, await rowsOf[name]())) {
        const part = partsOfRange(range, `${is_member} AND ${condition}`)
        await eachSymbol(reader, statement(name, part), onSymbol)
      }
    },
  }
}

/** Rows that one statement sorts: 300 MB. Ten million bars of minutes at once took 2 GB, and readers have no folder to spill to. */
const ROWS_AT_ONCE = 2_000_000

/** Conditions on `symbol` that part all symbols, in their order. @param rows of all of them, about */
export function partsOf(instruments: readonly Pick<Instrument, 'symbol'>[], rows: number): string[] {
  const parts = Math.max(1, Math.ceil(rows / ROWS_AT_ONCE))
  const size = Math.max(1, Math.ceil(instruments.length / parts))
  const starts = instruments.flatMap(({ symbol }, index) => (index > 0 && index % size === 0 ? [symbol] : []))
  return [undefined, ...starts].map((start, index) => {
    const end = starts[index]
    const bounds = [
      start === undefined ? [] : [`symbol >= ${literal(start)}`],
      end === undefined ? [] : [`symbol < ${literal(end)}`],
    ].flat()
    return bounds.length === 0 ? 'true' : bounds.join(' AND ')
  })
}

function rangeWords({ from, to, asKnownOn }: HistoryRange): string {
  return (
    [from && `from ${from}`, to && `to ${to}`, asKnownOn && `as known on ${asKnownOn}`]
      .filter(Boolean)
      .join(' ') || 'yet'
  )
}

/** A condition on `symbol`; undefined for an index without members in the range. */
function membership(universe: string, members: readonly Member[]): string | undefined {
  if (universe.toLowerCase() === 'all') return 'true'
  const code = indexCode(universe)
  const symbols = new Set(members.filter(({ index_code }) => index_code === code).map(({ symbol }) => symbol))
  return symbols.size === 0 ? undefined : `symbol IN (${[...symbols].sort().map(literal).join(', ')})`
}

function knownFrom(universe: string, members: readonly Member[], first: string): string | null {
  const known = firstList(indexCode(universe), members)
  return known !== undefined && known > first ? known : null
}

/** The session of the first list of an index's members. */
function firstList(code: string, members: readonly Member[]): string | undefined {
  const lists = members.filter(({ index_code }) => index_code === code)
  return lists.map(({ first_session }) => first_session).sort()[0]
}

/** As `mart.plain_index_code` writes it. */
const indexCode = (universe: string): string => universe.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')

/** @param members of all times */
function noMembers(range: HistoryRange, members: readonly Member[]): UsageError {
  const code = indexCode(range.universe)
  const first = firstList(code, members)
  if (first !== undefined)
    return new UsageError(
      `who was a member of ${code} is not known ${rangeWords(range)}: its first list is of ${first}`,
      { hint: `--from ${first}, or --universe all` },
    )
  const codes = [...new Set(members.map(({ index_code }) => index_code))]
  return new UsageError(
    code === ''
      ? '--universe names no index'
      : `no members of an index ${range.universe} are stored${didYouMean(nearestNames(code, codes))}`,
    { hint: `--universe all, or one of: ${codes.join(', ') || 'none is stored yet'}` },
  )
}

async function eachSymbol<Row extends { symbol: string }>(
  reader: Reader,
  sql: string,
  onSymbol: (symbol: string, rows: Row[]) => Promise<void>,
): Promise<void> {
  let names: string[] = []
  let gathered: Row[] = []
  const flush = async (): Promise<void> => {
    const [first] = gathered
    const rows = gathered
    gathered = []
    if (first) await onSymbol(first.symbol, rows)
  }
  await reader.stream(
    sql,
    (columns) => {
      names = columns.map(({ name }) => name)
    },
    async (values) => {
      for (const value of values) {
        const row = Object.fromEntries(names.map((name, index) => [name, value[index]])) as unknown as Row
        if (gathered[0] && gathered[0].symbol !== row.symbol) await flush()
        gathered.push(row)
      }
    },
  )
  await flush()
}
