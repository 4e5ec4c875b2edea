import type { Effects } from 'candlehouse-foundation/effects'

/** Live deployments refuse longer ones, and the same one twice a day (docs/market-facts.md#client-request-ids). */
const LENGTH = 20

const TIME = 8
const COUNT = 3

/**
 * Creates ids of exactly 20 characters of `0-9a-z`: milliseconds, a count, then random characters. The count makes
 * them unique within this client, the random characters make them different from those of other programs.
 */
export function createClientIds(effects: Effects): () => string {
  let count = 0
  return () => {
    const time = digits(effects.now(), TIME)
    const number = digits(count++, COUNT)
    const room = LENGTH - TIME - COUNT
    return `${time}${number}${digits(Math.floor(effects.random() * 36 ** room), room)}`
  }
}

/** The last `length` digits to base 36. */
function digits(value: number, length: number): string {
  return value.toString(36).padStart(length, '0').slice(-length)
}
