/**
 * A rate as a fraction of whole numbers. As a double 0.17 × 130,000,000 is 22,100,000.000000004, and rounded up one
 * VND too much: money is computed with integers only.
 */
export interface Rate {
  readonly part: number
  readonly of: number
}

export type Rounding = 'up' | 'down' | 'nearest'

/**
 * `amount × part / of` as a whole number, computed exactly; halves are rounded up. Results above 2^53, which no account
 * reaches, are the nearest double.
 *
 * @param amount a whole number, such as VND
 * @throws RangeError for an amount or a rate that is not a whole number
 */
export function shareOf(amount: number, { part, of }: Rate, rounding: Rounding): number {
  return Number(divided(BigInt(amount) * BigInt(part), BigInt(of), rounding))
}

/** Whether `part / of` is less than a rate, exactly. `of` is positive. */
export function isBelow(part: number, of: number, rate: Rate): boolean {
  return BigInt(part) * BigInt(rate.of) < BigInt(rate.part) * BigInt(of)
}

/** `part / of` as a decimal text with at most so many digits after the point; 0 where `of` is 0. */
export function quotientText(part: number, of: number, digits: number): string {
  if (of === 0) return '0'
  const scale = 10n ** BigInt(digits)
  const scaled = divided(BigInt(part) * scale, BigInt(of), 'nearest')
  const size = (scaled < 0n ? -scaled : scaled).toString().padStart(digits + 1, '0')
  const fraction = size.slice(size.length - digits).replace(/0+$/, '')
  const sign = scaled < 0n ? '-' : ''
  return `${sign}${size.slice(0, size.length - digits)}${fraction ? `.${fraction}` : ''}`
}

/** The integer beside a quotient. BigInt division cuts off towards zero, this one rounds as asked on both sides of it. */
function divided(part: bigint, of: bigint, rounding: Rounding): bigint {
  if (rounding === 'up') return -floored(-part, of)
  return rounding === 'down' ? floored(part, of) : floored(2n * part + of, 2n * of)
}

function floored(part: bigint, of: bigint): bigint {
  const quotient = part / of
  const hasRest = part % of !== 0n
  return hasRest && part < 0n !== of < 0n ? quotient - 1n : quotient
}
