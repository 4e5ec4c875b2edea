import { groupedDigits } from 'candlehouse-foundation/number-text'

const EXCHANGE_MS = 7 * 3_600_000

/** An instant in exchange time (UTC+7 all year): `2025-03-14 18:02`. */
export function exchangeTime(instant: string): string {
  return new Date(Date.parse(instant) + EXCHANGE_MS).toISOString().slice(0, 16).replace('T', ' ')
}

/** `2025-03-14 18:02:05 UTC+7` for an instant, to the second; any other text unchanged. */
export function shownInstant(text: string): string {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(text)) return text
  const local = new Date(Date.parse(text) + EXCHANGE_MS).toISOString()
  return `${local.slice(0, 19).replace('T', ' ')} UTC+7`
}

/** Digits in groups of three; text that is not a number stays as it is. Exact: the text itself is grouped. */
export function grouped(value: unknown): string {
  if (value === null || value === undefined) return ''
  return groupedDigits(String(value))
}

/** A number for people, rounded: `12,345.68`. */
export function rounded(value: unknown, digits = 2): string {
  const number = Number(value)
  if (value === null || value === undefined || !Number.isFinite(number)) return ''
  return number.toLocaleString('en-US', { maximumFractionDigits: digits })
}

/** A large amount in words: `1.2 bn`, `−123 m`. */
export function amount(value: unknown): string {
  const number = Number(value)
  if (value === null || value === undefined || !Number.isFinite(number)) return ''
  if (number < 0) return `−${amount(-number)}`.replace(/^−0$/, '0')
  // a unit begins where 1000 of the one below would be written
  for (const [unit, size] of [
    ['tn', 1e12],
    ['bn', 1e9],
    ['m', 1e6],
    ['k', 1e3],
  ] as const)
    if (number >= (size === 1e3 ? size : 0.9995 * size))
      return `${(number / size).toFixed(number >= size * 100 ? 0 : 1)} ${unit}`
  return rounded(number)
}

/** A duration: `4.4 s`, `3 min 5 s`, `2 h 10 min`. */
export function duration(ms: number): string {
  if (ms < 10_000) return `${(ms / 1000).toFixed(1)} s`
  const seconds = Math.round(ms / 1000)
  if (seconds < 60) return `${seconds} s`
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
  return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`
}
