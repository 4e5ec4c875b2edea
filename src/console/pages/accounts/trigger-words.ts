import type { Row } from '../api.js'
import { changeWords } from '../chart/legend.js'
import { rounded } from '../words.js'
import { knownNumber } from './period.js'

/** How the market is compared with the stop price, in the words of the specification; other deployments send numbers. */
const OPERATORS: Readonly<Record<string, string>> = {
  lesser: '<',
  lesser_or_equal: '≤',
  equal: '=',
  greater: '>',
  greater_or_equal: '≥',
}

/** What a conditional order waits for: each price with what it triggers. Empty where none is stored. */
export function triggerWords(row: Row): string {
  const price = (name: string): string | undefined => {
    const value = knownNumber(row, name)
    return value ? rounded(value) : undefined
  }
  const [stop, active, distance] = [price('stop_price'), price('active_price'), price('trailing_amount')]
  const [profit, loss] = [price('tp_active_price'), price('sl_active_price')]
  const operator = OPERATORS[String(row.operator)] ?? (row.operator ? String(row.operator) : '')
  const parts = [
    stop && `stop ${operator ? `${operator} ` : ''}${stop}`,
    active && `follows from ${active}`,
    distance && `at a distance of ${distance}`,
    profit && `take profit ${profit}`,
    loss && `stop loss ${loss}`,
  ]
  return parts.filter(Boolean).join(', ')
}

/** The order that is sent then: its price, and that of each leg. */
export function sentWords(row: Row): string {
  const words = (value: unknown): string => (value ? rounded(value) || String(value) : '')
  const legs = [
    row.tp_price && `profit ${words(row.tp_price)}`,
    row.sl_price && `loss ${words(row.sl_price)}`,
  ].filter(Boolean)
  const main = words(row.price) || String(row.order_type ?? '')
  return [main, ...legs].filter(Boolean).join(', ')
}

/** How far the latest close is from the nearest price that triggers; undefined where one is not known. */
export function triggerDistance(row: Row): number | undefined {
  const close = knownNumber(row, 'close')
  if (!close) return undefined
  const distances = ['stop_price', 'active_price', 'tp_active_price', 'sl_active_price'].flatMap((name) => {
    const price = knownNumber(row, name)
    return price ? [price / close - 1] : []
  })
  return distances.sort((a, b) => Math.abs(a) - Math.abs(b))[0]
}

/** The distance in words, with the close that it is measured from. */
export function distanceWords(row: Row): string {
  const distance = triggerDistance(row)
  return distance === undefined ? '' : `${changeWords(distance)} from ${rounded(row.close)}`
}
