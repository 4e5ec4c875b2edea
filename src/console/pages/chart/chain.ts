import type { ChartData } from './bars.js'

/** Prices that are drawn as adjusted and may miss an adjustment. */
export interface UnknownChain {
  readonly words: string
  /** What fetches that which would show it; undefined where all of it is stored. */
  readonly command: string | undefined
}

/** Why the adjustment to a session is not known, by the reasons of mart.chain_gap. */
const REASONS: Readonly<Record<string, string>> = {
  not_compared: 'its reference price, or a close before it, is not stored',
  inexact: 'sessions before it are not stored, whose moves its factor contains',
  market_wide: 'the reference prices of that session are at fault',
  rise: 'its reference price rose, and nothing confirms it',
  beyond_limit: 'its close lies beyond the limits around the reference price',
  contradicted: 'the declared action and the reference price do not agree',
  not_shown: 'an action is declared that the reference price does not show',
}

/** Reasons that more data may remove. */
const LACKS_DATA = new Set(['not_compared', 'inexact'])

/** A name like this is typed as it is; others could be more than a name to a shell. */
export const PLAIN_SYMBOL = /^\w+$/

/** Of each symbol that is drawn adjusted and reaches back beyond what is known. */
export function unknownChains({ chain, symbol, bars, otherBars }: ChartData): UnknownChain[] {
  return chain.flatMap((row) => {
    const name = String(row.symbol)
    const [first] = (name === symbol ? bars : otherBars).sessions
    if (first === undefined) return []
    const command = PLAIN_SYMBOL.test(name) ? `candlehouse backfill masterdata --symbols ${name}` : undefined
    if (row.chain_known_from === null)
      return [{ words: `No reference price of ${name} is stored: its prices may miss adjustments.`, command }]
    const [from, reason] = [String(row.chain_known_from), String(row.reason)]
    if (first.tradingDate >= from) return []
    return [
      {
        words: `Prices of ${name} before ${from} may miss an adjustment: ${REASONS[reason] ?? reason}.`,
        command: LACKS_DATA.has(reason) ? command : undefined,
      },
    ]
  })
}
