import { isBoard } from 'candlehouse-foundation/market/board'
import { addDays, type Day, EXCHANGE_OFFSET_MS, timeOfDay } from 'candlehouse-foundation/market/day'
import { holdsOn } from 'candlehouse-foundation/market/reference'
import {
  codePattern,
  codePrefixes,
  type MarketRule,
  marketRules,
  ruleOn,
  underlyingOf,
} from 'candlehouse-foundation/market/rulebook'
import { sessionPhases } from 'candlehouse-foundation/market/sessions'
import { type TickRow, tickRows } from 'candlehouse-foundation/market/tick'
import { literal } from '../../src/duckdb/sqlfile.js'

/**
 * Macros that are asked for every row of large relations: the rulebook written out as expressions, since a look-up in a table
 * costs a join for each.
 *
 * @returns text by path below `sql/`
 */
export function ruleMacros(): Map<string, string> {
  return new Map([
    ['mart/rulebook/board_total.sql', ofBoard('board_total', BOARD_TOTAL)],
    ['mart/rulebook/board_of_index.sql', boardOfIndex()],
    ['mart/rulebook/closing_time.sql', valueOn('closing_time', 'day', CLOSING_TIME, closingCases())],
    ['mart/rulebook/dividend_tax.sql', ofShares('dividend_tax', DIVIDEND_TAX)],
    ['mart/rulebook/expiry_day.sql', expiryDay()],
    ['mart/rulebook/futures_contract.sql', futuresContract()],
    ['mart/rulebook/instrument_kind.sql', instrumentKind()],
    ['mart/rulebook/lot_size.sql', ofBoard('lot_size', LOT_SIZE)],
    ['mart/rulebook/multiplier.sql', multiplier()],
    ['mart/rulebook/ordered_prices.sql', ofBoard('ordered_prices', ORDERED_PRICES)],
    ['mart/rulebook/price_band.sql', priceBand()],
    ['mart/rulebook/price_band_idle.sql', ofBoard('price_band_idle', PRICE_BAND_IDLE)],
    ['mart/rulebook/reference_kind.sql', referenceKind()],
    ['mart/rulebook/sell_tax.sql', ofShares('sell_tax', SELL_TAX)],
    ['mart/rulebook/settlement_cycle.sql', ofShares('settlement_cycle', SETTLEMENT_CYCLE)],
    ['mart/rulebook/tick_size.sql', tickSize()],
    ['parse/exchange_close.sql', exchangeClose()],
  ])
}

const WRITTEN = '-- Written by make sql from data/reference (docs/rulebook.md).'

function rowsOf(rule: string): readonly MarketRule[] {
  return marketRules().filter((each) => each.rule === rule)
}

function futuresContract(): string {
  const legacy = [...codePrefixes('legacy').keys()]
  const names = [...codePrefixes('present')].map(
    ([underlying, prefix]) => `        WHEN ${literal(prefix)} THEN ${literal(underlying)}`,
  )
  return `${WRITTEN}
-- The contract that a futures code names, as underlying F YYMM: VN30F2504 for VN30F2504 and for 41I1F4000,
-- its code since the exchange changed them (docs/market-facts.md#symbol-codes: 41, underlying I1, year letter
-- F = 2025, month 1-9 A-C, 000; I, O and U are not used as year letters). Null for all other codes.
CREATE OR REPLACE MACRO mart.futures_contract(symbol) AS (
  CASE
    WHEN regexp_full_match(upper(symbol), '(${legacy.join('|')})F\\d{2}(0[1-9]|1[0-2])') THEN upper(symbol)
    WHEN regexp_full_match(upper(symbol), '41[A-Z][A-Z0-9][A-HJ-NP-TV-Z][1-9A-C]000') THEN
      CASE left(upper(symbol), 4)
${names.join('\n')}
        ELSE substr(upper(symbol), 3, 2)
      END
      || 'F' || lpad(CAST(19 + strpos('ABCDEFGHJKLMNPQRSTVWXYZ', substr(upper(symbol), 5, 1)) AS VARCHAR), 2,
        '0')
      || lpad(CAST(strpos('123456789ABC', substr(upper(symbol), 6, 1)) AS VARCHAR), 2, '0')
  END
);
COMMENT ON MACRO mart.futures_contract IS
  'The contract that a futures code names: VN30F2504 for VN30F2504 and for 41I1F4000. Null for other '
  'codes.';
`
}

function instrumentKind(): string {
  const isCodeOf = (kind: string): string => `regexp_full_match(upper(symbol), ${literal(codePattern(kind))})`
  return `${WRITTEN}
-- The kind of an instrument: stock, etf (closed-end funds too), covered_warrant, future or spread (of two
-- futures). The API has no field for it: derived from the underlying it names, else from the form of its code
-- (rule instrument_code).
CREATE OR REPLACE MACRO mart.instrument_kind(symbol, cw_underlying_symbol) AS (
  CASE
    -- a stock has three characters and the others more: most rows need no expression
    WHEN length(symbol) = 3 AND coalesce(cw_underlying_symbol, '') = '' THEN 'stock'
    WHEN mart.futures_contract(symbol) IS NOT NULL THEN 'future'
    WHEN ${isCodeOf('spread')} THEN 'spread'
    WHEN coalesce(cw_underlying_symbol, '') <> ''
      OR ${isCodeOf('covered_warrant')} THEN 'covered_warrant'
    WHEN ${isCodeOf('etf')} THEN 'etf'
    ELSE 'stock'
  END
);
COMMENT ON MACRO mart.instrument_kind IS
  'What kind of instrument a symbol is: stock, etf, covered_warrant, future or spread.';
`
}

function boardOfIndex(): string {
  const cases = rowsOf('index_of_board').map(
    ({ scope, value }) =>
      `    WHEN mart.plain_index_code(index_code) IN (${value.split(';').map(literal).join(', ')}) THEN ${literal(scope)}`,
  )
  return `${WRITTEN}
-- The board that an index covers whole; null for indexes that choose their members.
CREATE OR REPLACE MACRO mart.board_of_index(index_code) AS (
  CASE
${cases.join('\n')}
  END
);
COMMENT ON MACRO mart.board_of_index IS
  'HOSE, HNX or UPCOM where an index covers that whole board (VNINDEX, HNXINDEX, UPCOMINDEX); null '
  'otherwise.';
`
}

/** A contract keeps the multiplier that its underlying has: none has changed, and one that does makes this throw. */
function multiplier(): string {
  const rows = rowsOf('multiplier')
  if (new Set(rows.map(({ scope }) => scope)).size < rows.length)
    throw new RangeError(
      'an underlying has two multipliers: mart.multiplier has to take the day of the contract',
    )
  const values = rows.map((rule) => `, ${literal(underlyingOf(rule))}: ${rule.value}`)
  return `${WRITTEN}
-- VND per point of a futures contract; 1 for what is priced in VND. Null for contracts on an underlying that
-- the rulebook does not know, and for spreads: their money is not known either.
-- A map, since CASE would write the underlying out once per value.
CREATE OR REPLACE MACRO mart.multiplier(symbol) AS (
  CASE WHEN length(symbol) <= 3 THEN 1
    WHEN regexp_full_match(upper(symbol), ${literal(codePattern('spread'))}) THEN NULL
    ELSE MAP {'': 1${values.join('')}}[
      coalesce(mart.futures_underlying(symbol), '')] END
);
COMMENT ON MACRO mart.multiplier IS
  'VND per point of a future; 1 for instruments priced in VND; null for spreads and unknown underlyings.';
`
}

function expiryDay(): string {
  const cases = rowsOf('expiry').flatMap((rule) => {
    const day = /^(\d+)th$/.exec(rule.value)?.[1]
    return day ? [`    WHEN ${literal(underlyingOf(rule))} THEN expiry_month + ${Number(day) - 1}`] : []
  })
  return `${WRITTEN}
-- Last trading date of a contract by the rule of its underlying, if the exchange trades on it.
CREATE OR REPLACE MACRO mart.expiry_day(underlying, expiry_month) AS (
  CASE underlying
${cases.join('\n')}
    ELSE expiry_month + CAST((11 - dayofweek(expiry_month)) % 7 + 14 AS INTEGER)
  END
);
COMMENT ON MACRO mart.expiry_day IS
  'Last trading date by rule: the third Thursday of the month, of bonds a day of the month.';
`
}

function priceBand(): string {
  const specific = (scope: string): number => scope.split('/').length
  const rules = rowsOf('price_band').toSorted((a, b) => specific(b.scope) - specific(a.scope))
  const cases = rules.map(({ scope, validFrom, validTo, value }) => {
    const [board = '', name] = scope.split('/')
    const only = name === undefined ? '' : ` AND ${literal(name)} IN (kind, underlying)`
    return `    WHEN board = ${literal(board)}${only} AND ${within(validFrom, validTo)} THEN ${Number.isFinite(Number(value)) ? value : 'NULL'}`
  })
  return `${WRITTEN}
-- How far a price may move from its reference on a usual day, percent; null where no band is recorded.
-- underlying: of a future, else null.
CREATE OR REPLACE MACRO mart.price_band(board, kind, underlying, day) AS (
  CASE
${cases.join('\n')}
  END
);
COMMENT ON MACRO mart.price_band IS
  'How far a price may move from its reference on a usual day, percent; null where no band is recorded.';
`
}

const LOT_SIZE = 'Shares or contracts of one round lot of a board on a day; null where none is recorded.'
const BOARD_TOTAL =
  'Percent by which the matched volume of a board may differ from its index; null if not measured.'
const ORDERED_PRICES =
  'Lots from which open and close of a day lie within its low and high; null if not measured.'
const SELL_TAX =
  'Income tax of persons on the value of a sale of shares, percent; null where none is recorded.'
const DIVIDEND_TAX = 'Income tax of persons on a cash dividend, percent; null where none is recorded.'
const CLOSING_TIME = 'Exchange time at which the last board closes on a day; null where none is recorded.'
const SETTLEMENT_CYCLE =
  'Sessions after that of a trade in shares on which it settles; null where none is recorded.'
const PRICE_BAND_IDLE = 'How far a price may move after long idleness, percent; null where none is recorded.'

/** A number that each board has for all that trades on it. @throws RangeError where a kind or an underlying has its own */
function ofBoard(rule: string, comment: string): string {
  const cases = rowsOf(rule).map(({ scope, validFrom, validTo, value }) => {
    if (scope.includes('/') || scope === '*')
      throw new RangeError(`${rule} of ${scope}: mart.${rule} knows boards only`)
    return `    WHEN board = ${literal(scope)} AND ${within(validFrom, validTo)} THEN ${value}`
  })
  return valueOn(rule, 'board, day', comment, cases)
}

/** The macro of a rule whose value depends on the day. */
function valueOn(rule: string, parameters: string, comment: string, cases: readonly string[]): string {
  return `${WRITTEN}
-- ${comment}
CREATE OR REPLACE MACRO mart.${rule}(${parameters}) AS (
  CASE
${cases.join('\n')}
  END
);
COMMENT ON MACRO mart.${rule} IS
  ${literal(comment)};
`
}

const REFERENCE_KINDS: Readonly<Record<string, string>> = {
  'close before': 'close',
  'weighted average before': 'average',
  'settlement before': 'settlement',
}

/** What a board sets its references from on a day: its first rule also holds for the days before it. */
function referenceKind(): string {
  const rules = rowsOf('reference_price').map((rule) => ({ ...rule, board: rule.scope.split('/')[0] ?? '' }))
  const cases = rules.flatMap(({ board, validFrom, validTo, value }) => {
    const kind = REFERENCE_KINDS[value]
    if (kind === undefined)
      throw new RangeError(`reference_price '${value}' has no column of the daily summary`)
    if (kind === 'close') return []
    const others = rules.filter((rule) => rule.board === board)
    const hasOneKind = others.every((rule) => rule.value === value)
    const isFirst = others.every((rule) => rule.validFrom >= validFrom)
    const until = `day <= DATE ${literal(validTo)}`
    const when = hasOneKind ? '' : ` AND ${isFirst && validTo !== '' ? until : within(validFrom, validTo)}`
    return [`    WHEN board = ${literal(board)}${when} THEN ${literal(kind)}`]
  })
  return `${WRITTEN}
-- What the exchange sets the reference price of a day from: close, average (weighted, rounded to the tick) or
-- settlement of the session before. The first rule of a board counts for the days before it too.
CREATE OR REPLACE MACRO mart.reference_kind(board, day) AS (
  CASE
${[...new Set(cases)].join('\n')}
    ELSE 'close'
  END
);
COMMENT ON MACRO mart.reference_kind IS
  'What the reference price of a day is set from: close, average or settlement of the session before.';
`
}

/**
 * A number that is the same on every board on which shares trade: sales of one day in an account are taxed alike, and settle together.
 *
 * @throws RangeError where a board has another value than the oldest one
 */
function ofShares(rule: string, comment: string): string {
  const oldest = { board: 'HOSE', kind: 'stock' } as const
  const rows = rowsOf(rule).filter(({ scope }) => scope === '*' || isBoard(scope))
  for (const { scope, validFrom, validTo, value } of rows)
    for (const day of [validFrom, validTo || '9999-12-31'])
      if (ruleOn(rule, oldest, day)?.value !== value)
        throw new RangeError(`${rule} of ${scope} is another one on ${day}: mart.${rule} has to take a board`)
  const cases = rows
    .filter(({ scope }) => scope === oldest.board || scope === '*')
    .map(({ validFrom, validTo, value }) => `    WHEN ${within(validFrom, validTo)} THEN ${value}`)
  return valueOn(rule, 'day', comment, cases)
}

/** When the last board closes, by era of trading hours: neighbouring eras with one time are one. */
function closingCases(): string[] {
  const rows = sessionPhases()
  const starts = [
    ...new Set(
      rows.flatMap(({ validFrom, validTo }) => [validFrom, ...(validTo ? [addDays(validTo, 1)] : [])]),
    ),
  ].sort()
  const eras = starts.map((from) => ({
    from,
    ends: Math.max(0, ...rows.filter((row) => holdsOn(row, from)).map(({ ends }) => ends)),
  }))
  const changes = eras.filter(({ ends }, at) => ends !== eras[at - 1]?.ends)
  return changes.flatMap(({ from, ends }, at) => {
    const next = changes[at + 1]?.from
    return ends === 0
      ? []
      : [
          `    WHEN ${within(from, next ? addDays(next, -1) : '')} THEN TIME ${literal(`${timeOfDay(ends)}:00`)}`,
        ]
  })
}

/** While pages are loaded, schema mart need not be there. */
function exchangeClose(): string {
  return `${WRITTEN}
-- Instant (TIMESTAMPTZ) at which the last board closes on a day; null where none is recorded.
CREATE OR REPLACE TEMP MACRO exchange_close(day) AS timezone('UTC', day + CASE
${closingCases().join('\n')}
  END - INTERVAL ${EXCHANGE_OFFSET_MS / 3_600_000} HOUR
);
`
}

function within(validFrom: Day, validTo: Day | ''): string {
  const from = `day >= DATE ${literal(validFrom)}`
  return validTo === '' ? from : `day BETWEEN DATE ${literal(validFrom)} AND DATE ${literal(validTo)}`
}

function tickSize(): string {
  const ladders = new Map<string, TickRow[]>()
  for (const row of tickRows()) {
    const name = [row.board, row.kind, row.validFrom, row.validTo].join(' ')
    ladders.set(name, [...(ladders.get(name) ?? []), row])
  }
  const cases = [...ladders.values()].map((ladder) => {
    const { board, kind, validFrom, validTo } = ladder[0] as TickRow
    const when = `board = ${literal(board)} AND kind = ${literal(kind)} AND ${within(validFrom, validTo)}`
    return `    WHEN ${when}\n      THEN ${stepsOf(ladder)}`
  })
  return `${WRITTEN}
-- Smallest price step at a price on a day: VND, or points for futures; null where no ladder is recorded.
-- kind: of a future, its underlying.
CREATE OR REPLACE MACRO mart.tick_size(board, kind, price, day) AS (
  CASE
${cases.join('\n')}
  END
);
COMMENT ON MACRO mart.tick_size IS
  'Smallest price step at a price on a day: VND, points for futures; null where no ladder is recorded.';
`
}

/** From the highest step down. */
function stepsOf(ladder: readonly TickRow[]): string {
  const [lowest, ...others] = ladder.toSorted((a, b) => a.priceFrom - b.priceFrom)
  const steps = others.toReversed().map(({ priceFrom, tick }) => `WHEN price >= ${priceFrom} THEN ${tick}`)
  if (steps.length === 0) return String(lowest?.tick)
  return `CASE ${steps.join(' ')} ELSE ${lowest?.tick} END`
}
