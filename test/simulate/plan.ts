import { type Draw, KINDS, MARKET, OF_ACCOUNTS } from '../e2e/proportion/support/draws.js'
import { NIGHTS, STOCKS } from '../e2e/proportion/support/world.js'
import { FAULTS_BUT_ZERO, type FieldFault } from '../e2e/support/field-faults.js'
import { seeded } from '../e2e/support/seeded.js'
import type { Dataset } from '../standin/index.js'
import { FIELDS } from './fields.js'
import { KEY_NAMES, type KeyName } from './keys.js'

/** One thing that goes wrong, or that somebody does. Plain values: a plan can be printed, shrunk, and stored. */
export type Disturbance =
  /** A request of a window is answered badly, so many times. */
  | { readonly kind: 'window'; readonly window: string; readonly damage: string; readonly times: number }
  /** One field of a dataset is wrong, in every record. */
  | { readonly kind: 'field'; readonly dataset: Dataset; readonly field: string; readonly manner: FieldFault }
  /** The service leaves the symbol's daily summary of tonight out. */
  | { readonly kind: 'omitted'; readonly symbol: string }
  /** The process is killed at a share of its steps; a power cut also loses what is not synced. */
  | { readonly kind: 'kill' | 'power cut'; readonly share: number }
  /** From a share of its steps on the disk refuses so many operations. */
  | {
      readonly kind: 'disk'
      readonly share: number
      readonly code: 'ENOSPC' | 'EIO' | 'EROFS' | 'EACCES'
      readonly times: number
    }
  /** The service changes the record of the session before: it is true from now on. */
  | { readonly kind: 'restated'; readonly symbol: string; readonly matched: number }
  /** The service leaves the symbol out of every answer, tonight. */
  | { readonly kind: 'hidden'; readonly symbol: string }
  /** One value of tonight's summary or price limits of a symbol cannot be true. */
  | {
      readonly kind: 'bad value'
      readonly symbol: string
      readonly field: 'high' | 'low' | 'ceiling'
      readonly value: string
    }
  /** The service counts requests, and refuses those above the limit. */
  | { readonly kind: 'rate limit'; readonly limit: number; readonly retryAfter: boolean }
  /** Before the night somebody types what the conclusion of the night before advises. */
  | { readonly kind: 'advice' }
  /** A reader holds the catalog open while the night runs. */
  | { readonly kind: 'reader' }
  /** The session is gone at the nth request, as after a login elsewhere. */
  | { readonly kind: 'session lost'; readonly nth: number }
  /** The access token has expired at the nth request. */
  | { readonly kind: 'token expired'; readonly nth: number }
  /** Nobody listens from the nth request on, for so many seconds. */
  | { readonly kind: 'outage'; readonly nth: number; readonly seconds: number }
  /** Every request from the nth on takes so many seconds, for ten of them. */
  | { readonly kind: 'slow'; readonly nth: number; readonly seconds: number }
  /** The clock of this machine is wrong by so many hours. */
  | { readonly kind: 'clock'; readonly hours: number }
  /** Before the night somebody types this. */
  | { readonly kind: 'typed'; readonly line: string }
  /** Before the night a file of the home is damaged. */
  | {
      readonly kind: 'file'
      readonly where: 'lake' | 'catalog' | 'manifest' | 'conclusion'
      readonly how: 'gone' | 'cut' | 'flipped'
    }
  /** The account holds a symbol that no board lists, tonight. */
  | { readonly kind: 'odd holding'; readonly symbol: string }
  /** The service does not know the secret of one of two keys, tonight. */
  | { readonly kind: 'key refused'; readonly key: KeyName }
  /** From the nth request on, the bucket answers so many badly, or not at all. */
  | {
      readonly kind: 'bucket'
      readonly nth: number
      readonly fault: 'lost before' | 'lost after' | 403 | 500 | 503
      readonly times: number
    }
  /** Before the night somebody brings a daily summary of an earlier year. */
  | { readonly kind: 'imported'; readonly symbol: string; readonly close: number }

export interface Plan {
  readonly seed: number
  /** Whether nights read accounts, with two keys. */
  readonly accounts: boolean
  /** Whether the lake is published to a bucket too. */
  readonly bucket?: boolean
  /** The home has had so many nights that nothing disturbed. */
  readonly before: number
  /** What happens in each night. */
  readonly nights: readonly (readonly Disturbance[])[]
}

/** Bodies without end and of 64 MB take seconds of the machine: test/e2e/proportion has them. */
const DAMAGES = KINDS.filter(
  ({ name }) => !['too large', 'endless', 'half of the gzip', 'wrong check sum'].includes(name),
)

const TYPED = [
  'publish',
  'check',
  'replay',
  'status',
  'doctor --skip-service',
  'repair',
  'lake verify',
  'raw verify',
]
const FILES = ['lake', 'catalog', 'manifest', 'conclusion'] as const
const HOWS = ['gone', 'cut', 'flipped'] as const
const BUCKET_FAULTS = ['lost before', 'lost after', 403, 500, 503] as const
const ODD = ['XYZ9', ' fpt ', '41I1F9000', 'QUYEN-MUA', 'fpt']

/** More often than a night requests anything. */
export const ALL_NIGHT = 999

type Random = () => number

function pick<T>(all: readonly T[], random: Random): T {
  const one = all[Math.floor(random() * all.length)]
  if (one === undefined) throw new RangeError('nothing to pick from')
  return one
}

const upTo = (most: number, random: Random): number => 1 + Math.floor(random() * most)

function windowFault(random: Random, accounts: boolean): Disturbance {
  for (;;) {
    const window = pick(accounts && random() < 0.6 ? OF_ACCOUNTS : MARKET, random)
    const damage = pick(DAMAGES, random)
    if (damage.fits && !damage.fits(window)) continue
    const times = pick([1, 2, ALL_NIGHT, ALL_NIGHT], random)
    return { kind: 'window', window: window.name, damage: damage.name, times }
  }
}

function fieldFault(random: Random): Disturbance {
  const dataset = pick(Object.keys(FIELDS) as Dataset[], random)
  return {
    kind: 'field',
    dataset,
    field: pick(FIELDS[dataset] ?? [], random),
    manner: pick(FAULTS_BUT_ZERO, random),
  }
}

const shareOf = (random: Random): number => Math.round(random() * 1000) / 1000

/** At least a lot for each of twelve bars: a session that has fewer bars than before counts as one that lost them (seed 245). */
const restatedVolume = (random: Random): number => 100 * Math.max(12, upTo(500, random))

function badValue(random: Random): Disturbance {
  const field = pick(['high', 'low'] as const, random)
  const symbol = pick(STOCKS, random)
  if (field === 'low') return { kind: 'bad value', symbol, field, value: '999999900' }
  const isOfLimits = STOCKS.indexOf(symbol) % 2 === 1
  return { kind: 'bad value', symbol, field: isOfLimits ? 'ceiling' : 'high', value: '1' }
}

/** How often each kind comes. */
const SHARES: readonly (readonly [
  share: number,
  draw: (random: Random, accounts: boolean) => Disturbance,
])[] = [
  [6, windowFault],
  [2, fieldFault],
  [1, (random) => ({ kind: 'omitted', symbol: pick(STOCKS, random) })],
  [3, (random) => ({ kind: 'kill', share: shareOf(random) })],
  [3, (random) => ({ kind: 'power cut', share: shareOf(random) })],
  [
    2,
    (random) => ({
      kind: 'disk',
      share: shareOf(random),
      code: pick(['ENOSPC', 'EIO', 'EROFS', 'EACCES'], random),
      times: pick([1, 1, ALL_NIGHT], random),
    }),
  ],
  [1, (random) => ({ kind: 'restated', symbol: pick(STOCKS, random), matched: restatedVolume(random) })],
  [0.5, (random) => ({ kind: 'hidden', symbol: pick(STOCKS, random) })],
  [1, (random) => badValue(random)],
  [0.5, (random) => ({ kind: 'rate limit', limit: upTo(8, random) + 2, retryAfter: random() < 0.5 })],
  [1.5, () => ({ kind: 'advice' })],
  [0.5, () => ({ kind: 'reader' })],
  [1, (random) => ({ kind: 'session lost', nth: upTo(60, random) })],
  [1, (random) => ({ kind: 'token expired', nth: upTo(60, random) })],
  [1, (random) => ({ kind: 'outage', nth: upTo(50, random), seconds: pick([2, 20, 120, 3600], random) })],
  [1, (random) => ({ kind: 'slow', nth: upTo(50, random), seconds: pick([1, 20, 55], random) })],
  [0.5, (random) => ({ kind: 'clock', hours: pick([-8760, -30, 1, 30, 8760], random) })],
  [2, (random) => ({ kind: 'typed', line: pick(TYPED, random) })],
  [1.5, (random) => ({ kind: 'file', where: pick(FILES, random), how: pick(HOWS, random) })],
  [0.5, (random) => ({ kind: 'odd holding', symbol: pick(ODD, random) })],
  [1, (random) => ({ kind: 'key refused', key: pick(KEY_NAMES, random) })],
  [
    1.5,
    (random) => ({
      kind: 'bucket',
      nth: upTo(60, random),
      fault: pick(BUCKET_FAULTS, random),
      times: pick([1, 2, ALL_NIGHT], random),
    }),
  ],
  [0.7, (random) => ({ kind: 'imported', symbol: pick(STOCKS, random), close: 100 * upTo(900, random) })],
]

function disturbance(random: Random, accounts: boolean): Disturbance {
  const all = SHARES.reduce((sum, [share]) => sum + share, 0)
  let at = random() * all
  for (const [share, draw] of SHARES) {
    at -= share
    if (at < 0) return draw(random, accounts)
  }
  return windowFault(random, accounts)
}

/** Pairs of which one takes the other's place. */
const ALIKE = new Set(
  ['kill', 'power cut', 'disk'].flatMap((one, _, all) => all.map((other) => `${one}, ${other}`)),
)

/** Two of a kind in one night hide each other; two that are alike for the judge do not. */
function fits(drawn: readonly Disturbance[], next: Disturbance): boolean {
  return drawn.every((other) => other.kind !== next.kind && !ALIKE.has(`${other.kind}, ${next.kind}`))
}

const OF_ACCOUNTS_ALONE: ReadonlySet<Disturbance['kind']> = new Set(['odd holding', 'key refused'])
const ENDS_AT_ONCE: ReadonlySet<Disturbance['kind']> = new Set(['clock', 'disk'])

/**
 * The first thing that happens in the world of a seed, of each kind in turn: as many seeds as there are kinds have all of them,
 * where free draws would need five times as many.
 */
function firstOf(seed: number, random: Random, accounts: boolean): Disturbance {
  const [, draw] = SHARES[seed % SHARES.length] ?? [0, windowFault]
  return draw(random, accounts)
}

/** What happens in the world of a seed. */
export function planOf(seed: number): Plan {
  const random = seeded(seed * 7919 + 1)
  const accounts = random() < 0.4
  const bucket = random() < 0.3
  const before = Math.floor(random() * 4)
  const count = Math.min(upTo(3, random), NIGHTS - before - 2)
  let first: Disturbance | undefined
  const nights = Array.from({ length: count }, (_, nth) => {
    const drawn: Disturbance[] = []
    const wanted = pick([1, 2, 2, 3], random)
    for (let tries = 0; drawn.length < wanted && tries < 10; tries++) {
      const isFirst = nth === 0 && tries === 0
      const drawnNext = isFirst ? firstOf(seed, random, accounts) : disturbance(random, accounts)
      // In one world of seven the first thing that goes wrong goes wrong on every night.
      const next = (seed % 7 === 6 && tries === 0 && first) || drawnNext
      if (isFirst) first = next
      if (OF_ACCOUNTS_ALONE.has(next.kind) && !accounts) continue
      if (next.kind === 'bucket' && !bucket) continue
      // A home that has had no night does not know what its first one missed.
      if (before + nth === 0 && ENDS_AT_ONCE.has(next.kind)) continue
      if (fits(drawn, next)) drawn.push(next)
    }
    return drawn
  })
  return { seed, accounts, bucket, before, nights }
}

/** The window and the damage that a disturbance names. @throws RangeError */
export function drawOf({ window, damage, times }: Extract<Disturbance, { kind: 'window' }>): Draw {
  const found = [...MARKET, ...OF_ACCOUNTS].find(({ name }) => name === window)
  const kind = KINDS.find(({ name }) => name === damage)
  if (!found || !kind) throw new RangeError(`no window ${window}, or no damage ${damage}`)
  return { window: found, kind, times }
}
