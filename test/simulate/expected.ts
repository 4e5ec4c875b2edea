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

function ownCostOf(
  disturbance: Disturbance,
  night: number,
  { accounts, afterEarlyEnd }: Circumstances,
): Expected {
  const day = sessionOf(night)
  const lostSnapshot = either(snapshotOf(undefined, day), moreOrdersOf(undefined, day))
  switch (disturbance.kind) {
    case 'window': {
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
    case 'field':
      return {
        // The first answer of all may be that of a service that never had the field: it is noted.
        codes: night === 1 ? [0, 4] : [4],
        touches: costOfField(disturbance.dataset, night),
        ...(disturbance.dataset === 'securitiesByBoard' && {
          lasting:
            night === 1 ? either(firstSeenOn(night, SYMBOLS), crossChecks) : firstSeenOn(night, SYMBOLS),
        }),
        names: new RegExp(`${disturbance.field}|${snakeCase(disturbance.field)}`),
        hidesSymbols: disturbance.dataset === 'securitiesSummary',
      }
    case 'omitted':
      return {
        codes: [4],
        touches: either(
          summariesOn([day], disturbance.symbol),
          barsOf(disturbance.symbol, sessionsOf(night)),
        ),
        names: new RegExp(disturbance.symbol),
      }
    case 'session lost':
      return accounts
        ? { codes: [0, 3, 4], touches: lostSnapshot, lasting: lostSnapshot }
        : // 3 where the very next request after a login is refused.
          { codes: [0, 3] }
    case 'outage': {
      const isShort = disturbance.seconds <= 20 || (disturbance.nth > 1 && disturbance.seconds <= 120)
      if (isShort) return { codes: [0] }
      return {
        codes: [0, 4, 5],
        touches: ANYTHING,
        isFreeAtZero: true,
        lasting: either(lostSnapshot, firstSeenOn(night, SYMBOLS)),
      }
    }
    case 'clock':
      return Math.abs(disturbance.hours) > 1
        ? {
            codes: [2, 3, 5, 6],
            touches: ANYTHING,
            lasting: either(lostSnapshot, firstSeenOn(night, SYMBOLS)),
          }
        : { codes: [0] }
    case 'file':
      return { codes: [0, 6], touches: ANYTHING, lasting: either(lostSnapshot, firstSeenOn(night, SYMBOLS)) }
    case 'key refused': {
      const cost = either(
        ...[...KEYS[disturbance.key].accounts, '*'].flatMap((account) => [
          snapshotOf(account, day),
          moreOrdersOf(account, day),
        ]),
      )
      return { codes: [4], touches: cost, lasting: cost, names: new RegExp(disturbance.key) }
    }
    case 'bucket':
      return disturbance.fault !== 403 && disturbance.times < ALL_NIGHT
        ? { codes: [0] }
        : { codes: [4], names: /s3:\/\/|bucket/ }
    case 'imported': {
      const cost = importOf(disturbance.symbol)
      return { codes: [0], touches: cost, lasting: cost }
    }
    case 'odd holding':
      return { codes: [0], touches: snapshotOf(undefined, day), lasting: lostSnapshot }
    case 'disk':
      return {
        codes: [0, 4, 6],
        touches: ANYTHING,
        lasting: either(lostSnapshot, firstSeenOn(night, SYMBOLS)),
      }
    case 'restated': {
      const restated = restatementOf(disturbance.symbol, sessionOf(night - 1))
      return { codes: [0], touches: restated, lasting: restated }
    }
    case 'hidden':
      return {
        // The session that a night shares with the one before it shows what is gone.
        codes: afterEarlyEnd || night === 1 ? [0, 4] : [4],
        touches: either(
          summariesOn(sessionsOf(night), disturbance.symbol),
          limitsOn(sessionsOf(night)),
          barsOf(disturbance.symbol, sessionsOf(night)),
          ...['HOSE', 'HNX', 'UPCOM'].map((board) => listOf(board, [disturbance.symbol])),
          ...INDEXES.map((index) => membersOf(index)),
          // The largest quantity of a symbol that an account holds is refused: it is no symbol tonight.
          ...(accounts ? [lostSnapshot] : []),
        ),
        lasting: either(firstSeenOn(night, SYMBOLS), lostSnapshot),
        names: new RegExp(disturbance.symbol),
      }
    case 'bad value': {
      const isOfLimits = disturbance.field === 'ceiling'
      return {
        codes: [4],
        touches: either(
          summariesOn([day], disturbance.symbol),
          ...(isOfLimits ? [limitsOn([day])] : []),
          barsOf(disturbance.symbol, [day]),
        ),
        // The next night's true value is a revision of it.
        lasting: ({ relation, row }) => relation === 'market.revision' && row.column === disturbance.field,
        names: new RegExp(disturbance.symbol),
      }
    }
    case 'kill':
    case 'power cut':
      // What the killed run had stored of a snapshot stays beside that of the run that followed.
      return { codes: [0], touches: snapshotOf(undefined, day), lasting: lostSnapshot }
    case 'advice':
    case 'typed':
      return { codes: [0], touches: summaryOfOneSymbol, lasting: summaryOfOneSymbol }
    case 'slow':
    case 'rate limit':
    case 'reader':
    case 'token expired':
      return { codes: [0] }
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
function costOfField(dataset: Dataset, night: number): Touch {
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
