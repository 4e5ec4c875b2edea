import { type Day, EXCHANGE_OFFSET_MS, weekday as weekdayOf } from 'candlehouse-foundation/market/day'

/**
 * Numbers and times as readers of English and of Vietnamese both read them: thousands apart by a narrow space, a point
 * before decimals, a real minus, months in letters, exchange time.
 */

const NONE = '–'
const SPACE = '\u202f'
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

export type Figure = number | null | undefined

/** 1 681.24 */
export function decimal(value: Figure, digits = 0): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return NONE
  const [whole = '', part] = Math.abs(value).toFixed(digits).split('.')
  const text = whole.replace(/\B(?=(\d{3})+$)/g, SPACE) + (part ? `.${part}` : '')
  return isNegative(value, digits) ? `−${text}` : text
}

/** +1 681.24, −3.10, 0.00: the sign that colours alone must not carry. */
export function signed(value: Figure, digits = 0): string {
  const text = decimal(value, digits)
  return value && value > 0 && /[1-9]/.test(text) ? `+${text}` : text
}

/** A fraction as +1.2 %. */
export function change(part: Figure, digits = 2): string {
  return part === null || part === undefined ? NONE : `${signed(part * 100, digits)}${SPACE}%`
}

/** A fraction as 1.2 %. */
export function share(part: Figure, digits = 1): string {
  return part === null || part === undefined ? NONE : `${decimal(part * 100, digits)}${SPACE}%`
}

const UNITS = [
  [1e12, 'tn'],
  [1e9, 'bn'],
  [1e6, 'm'],
] as const

/** VND, in three digits and a unit: 4.98 tn. */
export function money(value: Figure): string {
  if (value === null || value === undefined) return NONE
  // 999.95 m would be written 1 000 m.
  const [size, unit] = UNITS.find(([each]) => Math.abs(value) >= each * 0.9995) ?? [1, '']
  const scaled = value / size
  const digits = size === 1 ? 0 : Math.abs(scaled) >= 99.95 ? 0 : Math.abs(scaled) >= 9.995 ? 1 : 2
  return unit ? `${decimal(scaled, digits)}${SPACE}${unit}` : decimal(scaled)
}

/** As `money`, with as many digits as tell the marks of an axis apart that shows this range. */
export function moneyAxis(range: number): (value: number) => string {
  return (value) => {
    const [size, unit] = UNITS.find(([each]) => Math.abs(value) >= each * 0.9995) ?? [1, '']
    const text = decimal(value / size, digitsFor(range / size))
    return unit ? `${text}${SPACE}${unit}` : text
  }
}

/** Plain numbers of an axis, as `moneyAxis`. */
export function plainAxis(range: number): (value: number) => string {
  return (value) => decimal(value, digitsFor(range))
}

function digitsFor(range: number): number {
  return Math.min(4, Math.max(0, Math.ceil(-Math.log10(range / 8))))
}

/** A value of the service as text: a number with its thousands apart, anything else as it is. */
export function groupedNumbers(text: string): string {
  return text.replace(/(?<![\w.-])-?\d{5,}(?:\.\d+)?(?![\w-])/g, (number) => {
    const [, part = ''] = number.split('.')
    return decimal(Number(number), part.replace(/0+$/, '').length)
  })
}

/** VND with its sign: +4.98 bn. */
export function flow(value: Figure): string {
  const text = money(value)
  return value && value > 0 && /[1-9]/.test(text) ? `+${text}` : text
}

/** A price, with the decimals that it has: 52 300, 1 751.7. */
export function price(value: Figure): string {
  if (value === null || value === undefined) return NONE
  const digits = [0, 1, 2].find((each) => Math.abs(value - Number(value.toFixed(each))) < 1e-9)
  return decimal(value, digits ?? 3)
}

/** Bytes in powers of ten. */
export function bytes(value: Figure): string {
  if (value === null || value === undefined) return NONE
  const [size, unit] = value >= 1e9 ? [1e9, 'GB'] : value >= 1e6 ? [1e6, 'MB'] : [1e3, 'kB']
  return `${decimal(value / size, value / size < 10 ? 1 : 0)}${SPACE}${unit}`
}

/** 45.2 s, 12 min 5 s, 3 h 20 min. */
export function duration(seconds: Figure): string {
  if (seconds === null || seconds === undefined) return NONE
  if (seconds < 59.95) return `${decimal(seconds, 1)}${SPACE}s`
  const whole = Math.round(seconds)
  if (whole < 3600) return `${Math.floor(whole / 60)}${SPACE}min ${whole % 60}${SPACE}s`
  return `${Math.floor(whole / 3600)}${SPACE}h ${Math.floor((whole % 3600) / 60)}${SPACE}min`
}

/** 20 Nov 2025 */
export function date(day: Day | null): string {
  if (day === null) return NONE
  const [year, month, number] = day.split('-')
  return `${Number(number)} ${MONTHS[Number(month) - 1]} ${year}`
}

/** Thursday */
export function weekday(day: Day): string {
  return WEEKDAYS[weekdayOf(day)] ?? ''
}

/** From when to when: 20 Nov 2025, 18:05:12 to 18:09:40. */
export function period(from: string, to: string): string {
  const [start, end] = [localTime(from), localTime(to)]
  const day = end.slice(0, 10) === start.slice(0, 10) ? '' : `${date(end.slice(0, 10))}, `
  return `${date(start.slice(0, 10))}, ${start.slice(11, 19)} to ${day}${end.slice(11, 19)}`
}

/** An instant in exchange time: 20 Nov 2025 18:05. */
export function instant(iso: string): string {
  const local = localTime(iso)
  return `${date(local.slice(0, 10))} ${local.slice(11, 16)}`
}

/** `1 window`, `3 windows`. */
export function plural(count: number, noun: string, nouns = `${noun}s`): string {
  return `${decimal(count)} ${count === 1 ? noun : nouns}`
}

/** ISO 8601 without a zone, in exchange time: UTC+7 the whole year. */
function localTime(iso: string): string {
  return new Date(Date.parse(iso) + EXCHANGE_OFFSET_MS).toISOString()
}

function isNegative(value: number, digits: number): boolean {
  return value < 0 && Number(value.toFixed(digits)) !== 0
}

/** The values of a key, without its column names. */
export function keyValues(key: string): string {
  try {
    return Object.values(JSON.parse(key) as Record<string, unknown>).join(' ')
  } catch {
    return key
  }
}
