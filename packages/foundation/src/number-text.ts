/**
 * A number as people write it, from its exact text: digits in groups of three, no zeros at its end. Nothing is rounded, and any
 * other text stays as it is.
 */
export function groupedDigits(text: string): string {
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d+)(\.\d+)?$/.exec(text) ?? []
  if (whole === '') return text
  return sign + whole.replace(/\B(?=(\d{3})+$)/g, ',') + withoutZeros(fraction)
}

/** So many of something: `1 window`, `1,204 windows`. */
export function counted(count: number, noun: string, nouns = `${noun}s`): string {
  return `${groupedDigits(String(count))} ${count === 1 ? noun : nouns}`
}

/** The text of a number without zeros at the end of its fraction. */
export function withoutZeros(text: string): string {
  return /^-?\d*\.\d+$/.test(text) ? text.replace(/\.?0+$/, '') : text
}

/** DuckDB's types of numbers. */
export function isNumberType(type: string): boolean {
  return /^(U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?$|BIGNUM$|DOUBLE$|FLOAT$|DECIMAL)/.test(type)
}

/** Numbers that name something and count nothing: nobody writes the year 2,025 or publication 1,204. */
export function isNumberOfName(column: string): boolean {
  return /(^|_)(id|year|month|week|rule|no)$/i.test(column)
}
