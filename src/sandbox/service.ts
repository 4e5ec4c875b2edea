import type { Effects } from '../effects.js'
import { instantOf } from '../market/day.js'
import { type MarketClock, marketClock } from './clock.js'
import type { DateFormat, SandboxOptions } from './options.js'
import { type World, world } from './world/world.js'

/** What every route needs: the market, its clock, and how this deployment answers. */
export interface Service {
  options: SandboxOptions
  world: World
  clock: MarketClock
  format: DateFormat
  effects: Effects
}

export function service(options: SandboxOptions, effects: Effects): Service {
  const market = world(options.universe ?? 'demo', options.seed ?? 1)
  const fixed = options.now ?? (options.date ? instantOf(options.date, '18:00') : undefined)
  const now = () => fixed ?? effects.now()
  return {
    options,
    world: market,
    clock: marketClock(now, market.time),
    format: options.dateFormat ?? 'YYYY/MM/DD',
    effects,
  }
}

/** The sessions from one day to another that have data up to `last`, ascending. */
export function sessionsIn({ world }: Service, from: string, to: string, last: number): number[] {
  const first = Math.max(0, world.time.from(from))
  const end = Math.min(last, world.time.at(to))
  return end < first ? [] : Array.from({ length: end - first + 1 }, (_, i) => first + i)
}
