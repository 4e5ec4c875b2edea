import { instantOf, isDay } from 'candlehouse-foundation/market/day'

/** Day first or year first, any of the separators; a time; an offset (docs/market-facts.md#dates-and-times). */
const MOMENT =
  /^(?:(\d{4})[-/](\d{2})[-/](\d{2})|(\d{2})[-/](\d{2})[-/](\d{4}))[T ]((?:[01]\d|2[0-3]):[0-5]\d)(?::([0-5]\d)(?:\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?$/

/** Epoch milliseconds of an instant in a list of orders; exchange time unless it has an offset. Undefined in any other form. */
export function readMoment(text: string | null): number | undefined {
  const [, year, month, date, date2, month2, year2, time = '', seconds = '0', offset] =
    MOMENT.exec(text?.trim() ?? '') ?? []
  const day = `${year ?? year2}-${month ?? month2}-${date ?? date2}`
  if (!isDay(day)) return undefined
  const instant = offset ? Date.parse(`${day}T${time}:00${offset}`) : instantOf(day, time)
  return Number.isNaN(instant) ? undefined : instant + Number(seconds) * 1000
}
