import type { Fault } from '../../../standin/index.js'
import { ALWAYS } from '../../support/bad-answers.js'
import type { Touch } from './differences.js'
import {
  barsOf,
  dailyBarsBehind,
  either,
  firstSeenOn,
  indexList,
  indexOn,
  limitsOn,
  listOf,
  membersOf,
  moreOrdersOf,
  quantitiesOn,
  snapshotOf,
  summariesOn,
} from './touches.js'
import { ACCOUNTS, FUTURE, INDEXES, STOCKS, sessionOf, sessionsOf, WARRANT } from './world.js'

export interface Window {
  /** How a failure of it is shown: `ohlc FPT`. */
  readonly name: string
  readonly path: string
  readonly where?: Record<string, string>
  /** What the run must say when the window fails. */
  readonly named: RegExp
  /** An answer of nothing is what the service says when there is nothing. */
  readonly mayBeEmpty?: boolean
  /** The answer states how many rows there are. */
  readonly hasCounts?: boolean
  readonly touches: (night: number) => Touch
  /** What no later night can fetch. */
  readonly lasting?: (night: number) => Touch
}

export const BOARD_SYMBOLS: Readonly<Record<string, readonly string[]>> = {
  HOSE: ['VCB', 'FPT', 'HPG', WARRANT],
  HNX: ['PVS', FUTURE],
  UPCOM: ['ACV', 'VGT', 'DNT'],
}

const bars = [...STOCKS, WARRANT, FUTURE].map(
  (symbol): Window => ({
    name: `ohlc ${symbol}`,
    path: '/data/ohlc',
    where: { symbol },
    named: new RegExp(symbol),
    hasCounts: true,
    touches: (night) => either(barsOf(symbol, sessionsOf(night)), dailyBarsBehind(symbol)),
  }),
)

const indexes = INDEXES.map(
  (index): Window => ({
    name: `indexSummary ${index}`,
    path: '/data/indexSummary',
    where: { index },
    named: new RegExp(index),
    touches: (night) => indexOn(index, sessionsOf(night)),
  }),
)

const whole: Window[] = [
  {
    name: 'securitiesSummary',
    path: '/data/securitiesSummary',
    named: /securitiesSummary|summar/,
    hasCounts: true,
    touches: (night) => either(summariesOn(sessionsOf(night)), quantitiesOn(sessionOf(night))),
    lasting: (night) => quantitiesOn(sessionOf(night)),
  },
  {
    name: 'masterdata',
    path: '/data/masterdata',
    named: /masterdata|limits/,
    hasCounts: true,
    touches: (night) => limitsOn(sessionsOf(night)),
  },
  {
    name: 'indexList',
    path: '/data/indexList',
    named: /indexes|indexList/,
    // Without the list, a first night knows no index at all.
    touches: (night) => (night === 1 ? either(indexList, ...indexesOn(night)) : indexList),
    lasting: (night) => firstSeenOn(night, []),
  },
]

const indexesOn = (night: number): Touch[] =>
  INDEXES.flatMap((index) => [indexOn(index, sessionsOf(night)), membersOf(index)])

const boards = Object.entries(BOARD_SYMBOLS).map(
  ([board, symbols]): Window => ({
    name: `securitiesByBoard ${board}`,
    path: '/data/securitiesByBoard',
    where: { board },
    named: new RegExp(board),
    touches: (night) =>
      night === 1
        ? either(listOf(board, symbols), ...symbols.map((symbol) => barsOf(symbol, sessionsOf(night))))
        : listOf(board, symbols),
    lasting: (night) => firstSeenOn(night, symbols),
  }),
)

const members = INDEXES.map(
  (index): Window => ({
    name: `securitiesByBoard ${index}`,
    path: '/data/securitiesByBoard',
    where: { index },
    named: new RegExp(index),
    touches: () => membersOf(index),
    lasting: (night) => firstSeenOn(night, []),
  }),
)

const lostSnapshot = (accountNo: string | undefined, day: string): Touch =>
  either(snapshotOf(accountNo, day), moreOrdersOf(accountNo, day))

const ofAccounts = ACCOUNTS.flatMap((accountNo) =>
  ['accountBalance', 'ppmmrAccount', 'position', 'orderBook', 'fco/list', 'maxBuySell'].map(
    (endpoint): Window => ({
      name: `${endpoint} ${accountNo}`,
      path: `/trading/${endpoint}`,
      where: { accountNo },
      named: new RegExp(accountNo),
      mayBeEmpty: ['orderBook', 'fco/list'].includes(endpoint),
      hasCounts: ['orderBook', 'fco/list'].includes(endpoint),
      touches: (night) => snapshotOf(accountNo, sessionOf(night)),
      lasting: (night) => lostSnapshot(accountNo, sessionOf(night)),
    }),
  ),
)

export const MARKET: readonly Window[] = [...bars, ...indexes, ...whole, ...boards, ...members]
export const OF_ACCOUNTS: readonly Window[] = [
  ...ofAccounts,
  {
    name: 'account/info',
    path: '/account/info',
    named: /account/,
    touches: (night) => snapshotOf(undefined, sessionOf(night)),
    lasting: (night) => lostSnapshot(undefined, sessionOf(night)),
  },
]

type Damage = Fault extends infer F ? (F extends Fault ? Omit<F, 'match' | 'times'> : never) : never

export interface Kind {
  readonly name: string
  readonly damage: Damage
  /** Whether a window can be damaged in this way so that it shows. */
  readonly fits?: (window: Window) => boolean
  /** A request that is answered so once or twice is answered well at the next try. */
  readonly isRetried?: true
}

const json = (code: string, msg: string): string => JSON.stringify({ code, msg })
const status = (code: number, headers?: Record<string, string>): Kind => ({
  name: String(code),
  damage: {
    kind: 'status',
    status: code,
    body: json(String(code), 'Something is wrong'),
    ...(headers && { headers }),
  },
})
const body = (name: string, transform: (text: string) => string, fits?: Kind['fits']): Kind => ({
  name,
  damage: { kind: 'body', transform },
  ...(fits && { fits }),
})
const canBeMissed = ({ mayBeEmpty }: Window): boolean => mayBeEmpty !== true

/** Faults of a moment. */
const PASSING: readonly Kind[] = [
  ...[408, 429, 500, 502, 503].map((code) => status(code)),
  { name: 'reset', damage: { kind: 'reset' } },
  { name: 'truncated', damage: { kind: 'truncate' } },
  { name: 'login page', damage: { kind: 'html200' } },
  { name: 'HTML 502', damage: { kind: 'html502' } },
  { name: 'null', damage: { kind: 'null' } },
  { name: 'empty body', damage: { kind: 'emptyBody' } },
  { name: 'half of the gzip', damage: { kind: 'badGzip', how: 'truncated' } },
  { name: 'wrong check sum', damage: { kind: 'badGzip', how: 'crc' } },
  body('error in 200', () => json('500', 'Internal error')),
]

export const KINDS: readonly Kind[] = [
  ...PASSING.map((kind) => ({ ...kind, isRetried: true as const })),
  ...[400, 401, 403, 404].map((code) => status(code)),
  // Each attempt takes a minute: two are all that a request gets.
  { name: 'hang', damage: { kind: 'hang' } },
  status(302, { Location: 'https://elsewhere.example/login' }),
  { name: 'too large', damage: { kind: 'oversized', blanks: 68 * 2 ** 20 } },
  { name: 'endless', damage: { kind: 'endless' } },
  body('another shape', (text) => (text.startsWith('[') ? '{}' : '[]'), canBeMissed),
  body('code 204', () => '{"code":204}', canBeMissed),
  body(
    'one more counted',
    (text) =>
      text.replace(
        /"(itemsCount|totalRecord)":"?(\d+)"?/,
        (_, name, count) => `"${name}":${Number(count) + 1}`,
      ),
    ({ hasCounts }) => hasCounts === true,
  ),
]

export interface Draw {
  readonly window: Window
  readonly kind: Kind
  /** Requests of a night that it hits. */
  readonly times: number
}

export const nameOf = ({ window, kind, times }: Draw): string =>
  `${window.name}: ${kind.name}, ${times === ALWAYS ? 'the whole night' : `${times} times`}`

export const faultOf = ({ window: { path, where }, kind, times }: Draw): Fault =>
  ({ ...kind.damage, match: { path, ...(where && { where }) }, times }) as Fault

function pick<T>(all: readonly T[], random: () => number): T {
  const one = all[Math.floor(random() * all.length)]
  if (one === undefined) throw new RangeError('nothing to pick from')
  return one
}

/** @param accounts whether the night reads accounts: most faults then concern them */
function pickWindow(random: () => number, accounts: boolean): Window {
  return pick(accounts && random() < 0.7 ? OF_ACCOUNTS : MARKET, random)
}

/** How nights are filled with faults. */
export interface Filling {
  /** Share of the nights that have several faults, which pass: each costs a request, and no more. */
  readonly packs: number
  /** Faults of such a night: at most as many as there are windows. */
  readonly pack: number
  /** Whether the last night has the last faults, all of which pass: it ends as a healthy night does. */
  readonly endsWithPack?: true
  /** How often the one fault of any other night may come: one of these is drawn. */
  readonly single: readonly number[]
  /** Whether the nth home, from 0, has accounts. */
  readonly accounts: (nth: number) => boolean
  /** A home begins with one of so many nights. */
  readonly firstNights: number
  /** Last night of homes with accounts and without: each needs an undisturbed home after as many nights. */
  readonly lastNight: { readonly accounts: number; readonly market: number }
}

/** Whether the nth night, from 0, has several faults: spread evenly, so that a count of draws gives a count of nights. */
export const isPackNight = (nth: number, { packs }: Filling): boolean =>
  Math.floor((nth + 1) * packs) > Math.floor(nth * packs)

/**
 * The faults of one night: one that may last, or several on different windows that pass, since a night with each of them costs
 * as much as a night with all.
 */
export function drawNight(
  random: () => number,
  accounts: boolean,
  isPack: boolean,
  { pack, single }: Filling,
): Draw[] {
  const times = isPack ? [1, 2] : single
  const drawn: Draw[] = []
  const count = isPack ? pack : 1
  while (drawn.length < count) {
    const window = pickWindow(random, accounts)
    const kind = pick(KINDS, random)
    const fits = (kind.fits?.(window) ?? true) && (!isPack || kind.isRetried === true)
    if (fits && !drawn.some((other) => other.window === window))
      drawn.push({ window, kind, times: pick(times, random) })
  }
  return drawn
}
