/** A decimal without an exponent, without trailing zeros and without a negative zero. */
export function decimal(value: number, digits: number): string {
  // Most prices: `toFixed` costs more than a row of them.
  if (Number.isSafeInteger(value)) return String(value)
  const text = value.toFixed(digits)
  const short = text.includes('.') ? text.replace(/\.?0+$/, '') : text
  return short === '-0' ? '0' : short
}
