// Values of a service within the words of a report. They stand between marks, so that the report of a check of accounts can
// show their form without the figures.

const [BEGIN, END] = ['\u0002', '\u0003']
const LONGEST = 160

/** A value as JSON, cut, between marks. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value)
  if (text === undefined) return 'absent'
  return `${BEGIN}${text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text}${END}`
}

const MARKED = new RegExp(`${BEGIN}([^${END}]*)${END}`, 'g')

/** The words with their values. */
export function withValues(text: string): string {
  return text.replace(MARKED, '$1')
}

/** The words with the form of their values: each digit is 9, and each letter of a code with digits is A. */
export function withForms(text: string): string {
  return text.replace(MARKED, (_, value: string) =>
    value.replaceAll(/\d/g, '9').replaceAll(/[A-Z]+(?=9)/g, (letters) => 'A'.repeat(letters.length)),
  )
}
