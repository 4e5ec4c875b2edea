import type { Row } from '../api.js'
import { changeWords } from '../chart/legend.js'
import { grouped, rounded } from '../words.js'
import { knownNumber } from './period.js'

/** `+1,234`, `−1,234`, `0`; empty where it is not known. */
export function signedAmount(value: number | undefined): string {
  if (value === undefined) return ''
  const whole = Math.round(value)
  return `${whole > 0 ? '+' : whole < 0 ? '−' : ''}${Math.abs(whole).toLocaleString('en-US')}`
}

/** Money in whole VND; empty where it is not known. */
export function wholeVnd(value: number | undefined): string {
  return value === undefined ? '' : rounded(value, 0)
}

/** A fraction as a share: `39.8 %`; empty where it is not known. */
export function percentWords(part: number | undefined, digits = 1): string {
  if (part === undefined) return ''
  const words = Math.abs(100 * part).toFixed(digits)
  return `${part < 0 && Number(words) > 0 ? '−' : ''}${words} %`
}

/** `+1,470,000 (+0.63 %)`; the part is left out where it is not known. */
export function gainWords(gain: number | undefined, part: number | undefined): string {
  if (gain === undefined) return ''
  const words = part === undefined ? '' : changeWords(part)
  return words ? `${signedAmount(gain)} (${words})` : signedAmount(gain)
}

/** Up, down or neither: the colour of a gain, which its sign says too. */
export function gainTone(value: number | undefined): 'up' | 'down' | '' {
  return value === undefined || value === 0 ? '' : value > 0 ? 'up' : 'down'
}

/** Profit of a position over what it cost; undefined where one is not known. */
export function unrealisedPart(row: Row): number | undefined {
  const [value, gain] = [knownNumber(row, 'market_value'), knownNumber(row, 'unrealised_pnl')]
  if (value === undefined || gain === undefined) return undefined
  const cost = Math.abs(value - gain)
  return cost > 0 ? gain / cost : undefined
}

/** Why the profit of a position is not known; empty where nothing is held. */
export function unrealisedReason(row: Row): string {
  if (!knownNumber(row, 'quantity')) return ''
  if (knownNumber(row, 'dividend_quantity')) return 'not known: shares to come'
  return row.average_price === null ? 'no average price' : 'not known'
}

/** Why the day of a position is not known; empty where it is, or the account has no day before. */
export function dayReason(row: Row): string {
  if (row.day_gain !== null || row.before_of === null) return ''
  if (row.is_current === false) return 'close not known'
  const unexplained = knownNumber(row, 'unexplained_quantity')
  return unexplained ? `${signedAmount(unexplained)} that no fill explains` : 'not known'
}

/** The session of a price, and what that means where it is not the session of the snapshot. */
export function priceSession(row: Row): string {
  const { priced_on, trading_date, is_current } = row
  if (priced_on === null) return ''
  if (priced_on === trading_date) return String(priced_on)
  return `${priced_on}, ${is_current ? 'no trade since' : 'later closes not known'}`
}

/** When shares that cannot be sold yet can be, and which are bound otherwise. Empty for contracts, and where all can be sold. */
export function laterWords(row: Row): string {
  if (row.sellable_t0 === null) return ''
  const steps: [name: string, day: string][] = [
    ['arriving_t1', 't1_date'],
    ['arriving_t2', 't2_date'],
  ]
  const arriving = steps.flatMap(([name, day]) => {
    const count = knownNumber(row, name)
    if (count === undefined) return [`${day === 't1_date' ? 'next session' : 'session after'}: not known`]
    return count > 0 ? [`${grouped(count)} from 13:00 on ${row[day] ?? 'a day not announced yet'}`] : []
  })
  const bound: [name: string, words: string][] = [
    ['selling_quantity', 'in sell orders'],
    ['encumbered_quantity', 'blocked or mortgaged'],
  ]
  const kept = bound.flatMap(([name, words]) => {
    const count = knownNumber(row, name) ?? 0
    return count > 0 ? [`${grouped(count)} ${words}`] : []
  })
  return [...arriving, ...kept].join('; ')
}

/** Sum of a column; undefined where a row has none. */
export function totalOf(rows: readonly Row[], name: string): number | undefined {
  let sum = 0
  for (const row of rows) {
    const value = knownNumber(row, name)
    if (value === undefined) return undefined
    sum += value
  }
  return sum
}

/** Shares and cash of a position that are to come; empty where none are. */
export function toComeWords(row: Row, dividends: readonly Row[]): string {
  const shares = knownNumber(row, 'dividend_quantity') ?? 0
  const net = totalOf(
    dividends.filter(({ account_no, symbol }) => account_no === row.account_no && symbol === row.symbol),
    'net',
  )
  return [shares > 0 && `${grouped(shares)} shares`, net && `${wholeVnd(net)} VND`].filter(Boolean).join(', ')
}

/** A figure with its name. */
export type Field = readonly [name: string, value: string]

/** How far the account is from a level, above it or below. */
export function levelFields(row: Row, level: 'call' | 'force', name: string): Field[] {
  const [distance, fall] = [knownNumber(row, `${level}_distance`), knownNumber(row, `${level}_fall`)]
  const isBelow = distance !== undefined && distance < 0
  const size = (value: number | undefined): number | undefined => value && Math.abs(value)
  return [
    [`${isBelow ? 'below' : 'above'} the level of ${name}, VND`, wholeVnd(size(distance))],
    [
      isBelow ? `rise of all prices that ends ${name}` : `fall of all prices to ${name}`,
      percentWords(isBelow ? size(fall) : fall),
    ],
  ]
}

const KINDS: Readonly<Record<string, string>> = {
  stock: 'stocks without an industry in any list',
  etf: 'funds',
  covered_warrant: 'covered warrants',
  future: 'futures',
}

/** The industry of a row of `account_sectors`, or the kind of what has none. */
export function sectorWords({ kind, icb_name }: Row): string {
  return icb_name === null ? (KINDS[String(kind)] ?? String(kind)) : String(icb_name)
}

/** Which positions the beta of a row of `account_betas` rests on, and why it is not that of all. */
export function betaWords(row: Row): string {
  const [all, rated] = [Number(row.positions), Number(row.positions_with_beta)]
  const rest = 'fewer than 60 returns beside the index'
  if (rated === 0) return all === 1 ? `the position has ${rest}` : `all ${all} positions have ${rest}`
  const weight = percentWords(knownNumber(row, 'covered_weight'))
  if (weight === '') return 'a price is not known'
  return rated === all
    ? `all ${grouped(all)} positions`
    : `${rated} of ${all} positions, ${weight} of their value; the others have ${rest}`
}

const STEPS: Readonly<Record<string, string>> = {
  now: 'on the account',
  t0: 'trades of two sessions before',
  t1: 'trades of the session before',
  t2: 'trades of the session',
  dividends: 'dividends, after tax',
  delivery: 'settlement of contracts',
}

/** What a step of `account_forecast` is. */
export function stepWords(step: unknown): string {
  return STEPS[String(step)] ?? String(step)
}
