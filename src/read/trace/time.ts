import { dayOf, instantOf, isDay } from 'candlehouse-foundation/market/day'

/** A day or an instant, read from text. */
export interface ParsedTime {
  /** Exchange day, `YYYY-MM-DD`. */
  readonly day: string
  /** ISO 8601 with its zone, exact; a bare day is midnight in exchange time. */
  readonly instant: string
  /** Epoch milliseconds. */
  readonly at: number
}

const TIME = String.raw`(?:[ T](\d{2}:\d{2})(:\d{2}(?:\.\d{1,6})?)?\s*(Z|[+-]\d{2}(?::?\d{2})?)?)?`
const YEAR_FIRST = new RegExp(`^(\\d{4})[-/](\\d{2})[-/](\\d{2})${TIME}$`, 'i')
const DAY_FIRST = new RegExp(`^(\\d{2})/(\\d{2})/(\\d{4})${TIME}$`, 'i')

/**
 * Reads a date or an instant in the forms that deployments write: `YYYY-MM-DD`, `YYYY/MM/DD`, `DD/MM/YYYY`, alone or
 * with a time of day. Without a zone it is exchange time (UTC+7). Undefined for anything else.
 */
export function parseTime(text: string): ParsedTime | undefined {
  const match = YEAR_FIRST.exec(text) ?? matchDayFirst(text) ?? []
  const [, year, month, date, clock = '00:00', rest = ':00', zone = '+07:00'] = match
  const day = `${year}-${month}-${date}`
  if (!isDay(day)) return undefined
  const instant = `${day}T${clock}${rest}${offset(zone)}`
  const at = Date.parse(instant)
  return Number.isNaN(at) ? undefined : { day: dayOf(at), instant, at }
}

/** As `parseTime`, and seconds or milliseconds since 1970, which some deployments send for order times. */
export function parseReceivedTime(text: string): ParsedTime | undefined {
  if (!/^\d{10}(\d{3})?$/.test(text)) return parseTime(text)
  const at = Number(text) * (text.length === 10 ? 1000 : 1)
  return { day: dayOf(at), instant: new Date(at).toISOString(), at }
}

/** An instant in exchange time for a key on the command line, without parts that are zero. */
export function shortInstant(instant: string): string {
  const at = Date.parse(instant)
  const local = new Date(at - instantOf('1970-01-01')).toISOString().slice(0, 19)
  const fraction = /\.\d+/.exec(instant)?.[0] ?? ''
  return fraction ? local + fraction : local.replace(/(T\d\d:\d\d):00$/, '$1').replace(/T00:00$/, '')
}

/** The groups of `DAY_FIRST` in the order of `YEAR_FIRST`. */
function matchDayFirst(text: string): RegExpExecArray | undefined {
  const match = DAY_FIRST.exec(text)
  if (!match) return undefined
  ;[match[1], match[3]] = [match[3] ?? '', match[1] ?? '']
  return match
}

/** `+07` and `+0700` as `+07:00`. */
function offset(zone: string): string {
  if (/^z$/i.test(zone)) return 'Z'
  return `${zone.slice(0, 3)}:${zone.slice(3).replace(':', '') || '00'}`
}
