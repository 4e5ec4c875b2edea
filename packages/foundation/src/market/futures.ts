import { addDays, type Day, weekday } from './day.js'
import { type CodeScheme, codePrefixes, ruleOn } from './rulebook.js'

/** A futures contract by underlying and delivery month. */
export interface FuturesContract {
  /** `VN30`; the two characters of the code where the rulebook does not know them. */
  underlying: string
  year: number
  /** 1–12. */
  month: number
}

/** Year letters of the present scheme: F is 2025; I, O and U are not used because they look like 1, 0 and V. */
const YEAR_LETTERS = 'ABCDEFGHJKLMNPQRSTVWXYZ'
const FIRST_YEAR = 2020
const MONTHS = '123456789ABC'

/** Two digits of the year, two of the month, behind a prefix: `VN30F2504`. */
const LEGACY = /^(\w+F)(\d{2})(0[1-9]|1[0-2])$/
/** A prefix of four characters, the letter of the year, that of the month: `41I1F4000`. */
const PRESENT = new RegExp(`^(41[A-Z][A-Z0-9])([${YEAR_LETTERS}])([1-9A-C])000$`)

const byPrefix = new Map<CodeScheme, ReadonlyMap<string, string>>()

/** Underlying by the prefix of its codes. */
function underlyings(scheme: CodeScheme): ReadonlyMap<string, string> {
  let known = byPrefix.get(scheme)
  if (!known) {
    known = new Map([...codePrefixes(scheme)].map(([underlying, prefix]) => [prefix, underlying]))
    byPrefix.set(scheme, known)
  }
  return known
}

/** Reads both `VN30F2504` and `41I1F4000`: the codes of one contract before and after the change of scheme. */
export function parseFuturesCode(symbol: string): FuturesContract | undefined {
  const [, prefix = '', year = '', month = ''] = LEGACY.exec(symbol) ?? PRESENT.exec(symbol) ?? []
  if (prefix === '') return undefined
  if (year.length === 1) {
    return {
      underlying: underlyings('present').get(prefix) ?? prefix.slice(2),
      year: FIRST_YEAR + YEAR_LETTERS.indexOf(year),
      month: MONTHS.indexOf(month) + 1,
    }
  }
  const underlying = underlyings('legacy').get(prefix)
  return underlying === undefined
    ? undefined
    : { underlying, year: 2000 + Number(year), month: Number(month) }
}

/** `VN30F2504`; undefined where the underlying never had such codes. */
export function legacyFuturesCode({ underlying, year, month }: FuturesContract): string | undefined {
  const prefix = codePrefixes('legacy').get(underlying)
  return prefix && `${prefix}${String(year % 100).padStart(2, '0')}${String(month).padStart(2, '0')}`
}

/** `41I1F4000`: the VN30 contract of April 2025. @throws RangeError for an underlying that the rulebook does not know */
export function futuresCode({ underlying, year, month }: FuturesContract): string {
  const prefix = codePrefixes('present').get(underlying)
  if (!prefix) throw new RangeError(`no futures on ${underlying}`)
  return `${prefix}${YEAR_LETTERS[year - FIRST_YEAR] ?? '?'}${MONTHS[month - 1] ?? '?'}000`
}

const THURSDAY = 4

/**
 * The day by rule on which a contract is traded last; the session before it where the exchange is closed. Undefined for an underlying
 * that the rulebook does not know.
 */
export function expiryDay({ underlying, year, month }: FuturesContract): Day | undefined {
  const first = `${year}-${String(month).padStart(2, '0')}-01`
  // The rule of the end of the month: a contract may open in the month in which it ends.
  const rule = ruleOn('expiry', { board: 'DERIVATIVE', kind: 'future', underlying }, addDays(first, 27))
  const dayOfMonth = /^(\d+)th$/.exec(rule?.value ?? '')?.[1]
  if (dayOfMonth) return addDays(first, Number(dayOfMonth) - 1)
  return rule && addDays(first, ((THURSDAY - weekday(first) + 7) % 7) + 14)
}
