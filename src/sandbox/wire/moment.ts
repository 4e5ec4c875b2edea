const EXCHANGE_OFFSET_MS = 7 * 3_600_000

/** An instant in exchange time as the order answers write it: `YYYY/MM/DD HH:mm:ss`. */
export function writeMoment(instant: number): string {
  const text = new Date(instant + EXCHANGE_OFFSET_MS).toISOString()
  return `${text.slice(0, 10).replaceAll('-', '/')} ${text.slice(11, 19)}`
}

/**
 * The same as live deployments write the history of conditional orders
 * (docs/market-facts.md#conditional-orders): `DD/MM/YYYY HH:MM:SS`.
 */
export function writeMomentDayFirst(instant: number): string {
  const [date = '', time = ''] = writeMoment(instant).split(' ')
  return `${date.split('/').reverse().join('/')} ${time}`
}
