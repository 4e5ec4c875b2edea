import { tickAt } from 'candlehouse-foundation/market/tick'
import { mix, unit } from '../../market/world/hash.js'
import type { Instrument } from '../../market/world/instrument.js'
import type { Service } from '../service.js'

/** Shares of the sessions and of the stocks of such a session that have noise, as measured (docs/market-facts.md#ex-dates). */
const NOISY_SESSIONS = 1 / 3
const NOISY_STOCKS = 1 / 5

/**
 * The reference price as the service reports it: with `referenceNoise`, on a third of the sessions, a tick above or below what
 * the exchange set for a fifth of the stocks and funds. Trading, limits and accounts go by the exchange's own.
 *
 * @param reference VND, as the exchange set it
 */
export function reportedReference(
  { options, world }: Pick<Service, 'options' | 'world'>,
  instrument: Instrument,
  session: number,
  reference: number,
): number {
  const { kind, path } = instrument
  if (!options.referenceNoise || kind === 'future' || kind === 'covered_warrant') return reference
  const market = mix(options.seed ?? 1, 0x5e7)
  if (unit(market, session, 91) >= NOISY_SESSIONS || unit(path, session, 92) >= NOISY_STOCKS) return reference
  const tick = tickAt(world.prices.ladder(instrument, session), reference)
  return unit(path, session, 93) < 0.5 ? reference - tick : reference + tick
}
