import type { Touch } from '../e2e/proportion/support/differences.js'
import {
  barsOf,
  dailyBarsBehind,
  either,
  firstSeenOn,
  indexOn,
  limitsOn,
  listOf,
  membersOf,
  moreOrdersOf,
  quantitiesOn,
  snapshotOf,
  summariesOn,
} from '../e2e/proportion/support/touches.js'
import { FUTURE, INDEXES, STOCKS, sessionOf, sessionsOf, WARRANT } from '../e2e/proportion/support/world.js'
import { snakeCase } from '../e2e/support/snake-case.js'
import type { Dataset } from '../standin/index.js'
import { IMPORTED_DAY } from './before-night.js'
import { KEYS } from './keys.js'
import { ALL_NIGHT, type Disturbance, drawOf } from './plan.js'

/** What a disturbance that came to effect may cost, and what the night must say of it. */
export interface Expected {
  /** Exit codes of which one must come. */
  readonly codes: readonly number[]
  /** Differences on that night. */
  readonly touches?: Touch
  /** Whether a night that ends with 0 can have no such difference: it overcame what happened. */
  readonly isFreeAtZero?: boolean
  /** Differences that no later night can mend. */
  readonly lasting?: Touch
  /** What the night must name where it ends with 4. */
  readonly names?: RegExp
  /** Whether the summaries of all symbols are missing with it: then nothing is said of one of them. */
  readonly hidesSymbols?: boolean
}

const ANYTHING: Touch = () => true
const SYMBOLS = [...STOCKS, WARRANT, FUTURE, 'DNT']

/** What else decides the cost. */
interface Circumstances {
  /** Whether the nights read accounts. */
  readonly accounts: boolean
  /** Whether the night before ended before it had requested everything. */
  readonly afterEarlyEnd: boolean
}

/** @param night number of the night */
export function expectedOf(disturbance: Disturbance, night: number, circumstances: Circumstances): Expected {
  const expected = ownCostOf(disturbance, night, circumstances)
  if (!expected.touches || expected.codes.every((code) => code === 0)) return expected
  // The largest quantities that an account may trade are asked at tonight's close.
  const quantities = quantitiesOn(sessionOf(night))
  return {
    ...expected,
    touches: either(expected.touches, quantities),
    lasting: either(expected.lasting ?? (() => false), quantities),
  }
}

/** A night and what else decides the cost of a disturbance in it. */
interface Evening extends Circumstances {
  readonly night: number
  readonly day: string
  /** Rows of a snapshot that the night could not read. */
  readonly lostSnapshot: Touch
}

type Of<K extends Disturbance['kind']> = Extract<Disturbance, { kind: K }>

function ownCostOf(disturbance: Disturbance, night: number, circumstances: Circumstances): Expected {
  const day = sessionOf(night)
  const lostSnapshot = either(snapshotOf(undefined, day), moreOrdersOf(undefined, day))
  const evening = { ...circumstances, night, day, lostSnapshot }
  const lostForGood = either(lostSnapshot, firstSeenOn(night, SYMBOLS))
  switch (disturbance.kind) {
    case 'window':
      return costOfWindow(disturbance, evening)
    case 'field':
      return costOfField(disturbance, evening)
    case 'omitted':
      return costOfOmitted(disturbance, evening)
    case 'session lost':
      return evening.accounts
        ? { codes: [0, 3, 4], touches: lostSnapshot, lasting: lostSnapshot }
        : // 3 where the very next request after a login is refused.
          { codes: [0, 3] }
    case 'outage': {
      const isShort = disturbance.seconds <= 20 || (disturbance.nth > 1 && disturbance.seconds <= 120)
      if (isShort) return { codes: [0] }
      return { codes: [0, 4, 5], touches: ANYTHING, isFreeAtZero: true, lasting: lostForGood }
    }
    case 'clock':
      return Math.abs(disturbance.hours) > 1
        ? { codes: [2, 3, 5, 6], touches: ANYTHING, lasting: lostForGood }
        : { codes: [0] }
    case 'file':
      return { codes: [0, 6], touches: ANYTHING, lasting: lostForGood }
    case 'key refused':
      return costOfRefusedKey(disturbance, evening)
    case 'bucket':
      return disturbance.fault !== 403 && disturbance.times < ALL_NIGHT
        ? { codes: [0] }
        : { codes: [4], names: /s3:\/\/|bucket/ }
    case 'imported':
      return unnoticed(importOf(disturbance.symbol))
    case 'odd holding':
      return { codes: [0], touches: snapshotOf(undefined, day), lasting: lostSnapshot }
    case 'disk':
      return { codes: [0, 4, 6], touches: ANYTHING, lasting: lostForGood }
    case 'restated':
      return unnoticed(restatementOf(disturbance.symbol, sessionOf(night - 1)))
    case 'hidden':
      return costOfHidden(disturbance, evening)
    case 'bad value':
      return costOfBadValue(disturbance, evening)
    case 'kill':
    case 'power cut':
      // What the killed run had stored of a snapshot stays beside that of the run that followed.
      return { codes: [0], touches: snapshotOf(undefined, day), lasting: lostSnapshot }
    case 'advice':
    case 'typed':
      return unnoticed(summaryOfOneSymbol)
    case 'slow':
    case 'rate limit':
    case 'reader':
    case 'token expired':
      return { codes: [0] }
  }
}

/** The night ends with 0, and the differences stay. */
const unnoticed = (touches: Touch): Expected => ({ codes: [0], touches, lasting: touches })

function costOfWindow(disturbance: Of<'window'>, { night }: Evening): Expected {
  const { window, kind, times } = drawOf(disturbance)
  const mayPass = times < ALL_NIGHT
  if (mayPass && kind.isRetried) return { codes: [0] }
  return {
    codes: mayPass ? [0, 4] : [4],
    touches: window.touches(night),
    isFreeAtZero: true,
    ...(window.lasting && { lasting: window.lasting(night) }),
    names: window.named,
    hidesSymbols: window.name === 'securitiesSummary',
  }
}

function costOfField({ dataset, field }: Of<'field'>, { night }: Evening): Expected {
  return {
    // The first answer of all may be that of a service that never had the field: it is noted.
    codes: night === 1 ? [0, 4] : [4],
    touches: rowsOfField(dataset, night),
    ...(dataset === 'securitiesByBoard' && {
      lasting: night === 1 ? either(firstSeenOn(night, SYMBOLS), crossChecks) : firstSeenOn(night, SYMBOLS),
    }),
    names: new RegExp(`${field}|${snakeCase(field)}`),
    hidesSymbols: dataset === 'securitiesSummary',
  }
}

function costOfOmitted({ symbol }: Of<'omitted'>, { night, day }: Evening): Expected {
  return {
    codes: [4],
    touches: either(summariesOn([day], symbol), barsOf(symbol, sessionsOf(night))),
    names: new RegExp(symbol),
  }
}

function costOfRefusedKey({ key }: Of<'key refused'>, { day }: Evening): Expected {
  const accounts = [...KEYS[key].accounts, '*']
  const cost = either(
    ...accounts.flatMap((account) => [snapshotOf(account, day), moreOrdersOf(account, day)]),
  )
  return { codes: [4], touches: cost, lasting: cost, names: new RegExp(key) }
}

function costOfHidden({ symbol }: Of<'hidden'>, evening: Evening): Expected {
  const { night, lostSnapshot } = evening
  return {
    // The session that a night shares with the one before it shows what is gone.
    codes: evening.afterEarlyEnd || night === 1 ? [0, 4] : [4],
    touches: either(
      summariesOn(sessionsOf(night), symbol),
      limitsOn(sessionsOf(night)),
      barsOf(symbol, sessionsOf(night)),
      ...['HOSE', 'HNX', 'UPCOM'].map((board) => listOf(board, [symbol])),
      ...INDEXES.map((index) => membersOf(index)),
      // The largest quantity of a symbol that an account holds is refused: it is no symbol tonight.
      ...(evening.accounts ? [lostSnapshot] : []),
    ),
    lasting: either(firstSeenOn(night, SYMBOLS), lostSnapshot),
    names: new RegExp(symbol),
  }
}

function costOfBadValue({ symbol, field }: Of<'bad value'>, { day }: Evening): Expected {
  const isOfLimits = field === 'ceiling'
  return {
    codes: [4],
    touches: either(
      summariesOn([day], symbol),
      ...(isOfLimits ? [limitsOn([day])] : []),
      barsOf(symbol, [day]),
    ),
    // The next night's true value is a revision of it.
    lasting: ({ relation, row }) => relation === 'market.revision' && row.column === field,
    names: new RegExp(symbol),
  }
}

/** A record of an earlier year, and what is computed from it. */
const importOf =
  (symbol: string): Touch =>
  ({ relation, row }) =>
    (row.symbol === symbol && (row.trading_date === IMPORTED_DAY || relation.startsWith('mart.'))) ||
    (relation === 'ops.coverage' && row.window_from === IMPORTED_DAY)

/** What another record of a session changes: the symbol's rows, the totals of its indexes, and what is computed from both. */
const restatementOf =
  (symbol: string, day: string): Touch =>
  (each) =>
    each.relation === 'market.revision' ||
    summariesOn([day], symbol)(each) ||
    barsOf(symbol, [day])(each) ||
    (each.relation.startsWith('mart.') && each.row.symbol === symbol) ||
    (each.relation === 'mart.session_factor' && String(each.row.trading_date) >= day) ||
    INDEXES.some((index) => indexOn(index, [day])(each))

/** How many symbols are cross-checked follows from the length of the lists. */
const crossChecks: Touch = ({ relation, row }) =>
  ['market.candle', 'ops.coverage'].includes(relation) &&
  !['', '1m', '1d', undefined].includes(row.timeframe as string | undefined)

/** A repair asks for the summaries of a symbol: the ledger has that window from then on. */
const summaryOfOneSymbol: Touch = ({ relation, row }) =>
  relation === 'ops.coverage' && row.dataset === 'securitiesSummary' && row.key !== '*'

/** The session that is new tonight; what is stored of earlier ones stays. */
function rowsOfField(dataset: Dataset, night: number): Touch {
  const days = [sessionOf(night)]
  const all = night === 1 ? sessionsOf(night) : days
  // Without lists, a first night knows no symbol.
  if (night === 1 && dataset === 'securitiesByBoard') return ANYTHING
  switch (dataset) {
    case 'securitiesByBoard':
      return either(
        ...['HOSE', 'HNX', 'UPCOM'].map((board) => listOf(board, SYMBOLS)),
        ...INDEXES.map((index) => membersOf(index)),
        firstSeenOn(night, SYMBOLS),
      )
    case 'securitiesSummary':
      return summariesOn(all)
    case 'indexSummary':
      return either(...INDEXES.map((index) => indexOn(index, all)))
    case 'masterdata':
      return limitsOn(all)
    default:
      return either(barsOf(undefined, sessionsOf(night)), summariesOn(days), dailyBarsBehind(undefined))
  }
}
