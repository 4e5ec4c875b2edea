import type { Day } from 'candlehouse-foundation/market/day'
import { INDEXES } from './market/world/indexes.js'
import { timeline } from './market/world/timeline.js'
import { world } from './market/world/world.js'

/** What a first night on the embedded sandbox finds, for a plan before its first request. */
export function embeddedMarket(day: Day): {
  about: string
  symbols: string[]
  indexes: string[]
  accounts: { count: number; positions: number; conditionals: number }
} {
  const listed = world('demo', 1).listed(timeline().at(day))
  return {
    about: `the ${listed.length} securities and ${INDEXES.length} indexes of the embedded sandbox, and its demo accounts`,
    symbols: listed.map(({ symbol }) => symbol),
    indexes: INDEXES.map(({ code }) => code),
    // A year of its scripted trading: nearly every fifth session places a conditional order, each with its history.
    accounts: { count: 3, positions: 7, conditionals: 40 },
  }
}
