/** A futures contract by underlying index and delivery month. */
export interface FuturesContract {
  /** `VN30`, or the two-character underlying of the present code scheme where it is another. */
  underlying: string
  year: number
  /** 1–12. */
  month: number
}

/** Money per index point, in VND. */
export const FUTURES_MULTIPLIER = 100_000

/** Year letters of the present scheme: F is 2025; I, O and U are not used because they look like 1, 0 and V. */
const YEAR_LETTERS = 'ABCDEFGHJKLMNPQRSTVWXYZ'
const FIRST_YEAR = 2020
const MONTHS = '123456789ABC'

const LEGACY = /^VN30F(\d{2})(\d{2})$/
const PRESENT = /^41([A-Z][A-Z0-9])([A-Z])([1-9A-C])000$/

/** Reads both `VN30F2504` and `41I1F4000`: the codes of one contract before and after the change of scheme. */
export function parseFuturesCode(symbol: string): FuturesContract | undefined {
  const legacy = LEGACY.exec(symbol)
  if (legacy) {
    const month = Number(legacy[2])
    return month >= 1 && month <= 12
      ? { underlying: 'VN30', year: 2000 + Number(legacy[1]), month }
      : undefined
  }
  const present = PRESENT.exec(symbol)
  if (!present) return undefined
  const letter = YEAR_LETTERS.indexOf(present[2] ?? '')
  if (letter < 0) return undefined
  const underlying = present[1] ?? ''
  return {
    underlying: underlying === 'I1' ? 'VN30' : underlying,
    year: FIRST_YEAR + letter,
    month: MONTHS.indexOf(present[3] ?? '') + 1,
  }
}

/** `VN30F2504`. */
export function legacyFuturesCode({ year, month }: { year: number; month: number }): string {
  return `VN30F${String(year % 100).padStart(2, '0')}${String(month).padStart(2, '0')}`
}

/** `41I1F4000`: the VN30 contract of April 2025. */
export function futuresCode({ year, month }: { year: number; month: number }): string {
  return `41I1${YEAR_LETTERS[year - FIRST_YEAR] ?? '?'}${MONTHS[month - 1] ?? '?'}000`
}
