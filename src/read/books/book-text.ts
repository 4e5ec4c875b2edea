import { addDays } from 'candlehouse-foundation/market/day'
import type { Assertion, Posting, Transaction } from './entries.js'
import { commodityName } from './names.js'

export const BOOK_FORMATS = ['beancount', 'hledger'] as const
export type BookFormat = (typeof BOOK_FORMATS)[number]

/** Books of one or more accounts: transactions and assertions in the order of their days. */
export interface Books {
  readonly transactions: readonly Transaction[]
  readonly assertions: readonly Assertion[]
}

/** The text of the books; `head` are comment lines. */
export function bookText(format: BookFormat, head: readonly string[], books: Books): string {
  return format === 'beancount' ? beancount(head, books) : hledger(head, books)
}

/** https://beancount.github.io/docs/beancount_language_syntax.html: an assertion is of the morning of its day. */
function beancount(head: readonly string[], { transactions, assertions }: Books): string {
  const [first = '1970-01-01'] = transactions.map(({ day }) => day).sort()
  const accounts = new Set(
    [...transactions.flatMap(({ postings }) => postings), ...assertions].map(({ account }) => account),
  )
  const entry = ({ day, text, postings }: Transaction): string =>
    [
      `${day} * "${plain(text)}"`,
      ...postings.map((posting) => `  ${posting.account}  ${amountOf(posting, commodityName)}`),
    ].join('\n')
  const check = ({ day, account, amount, symbol }: Assertion): string =>
    `${addDays(day, 1)} balance ${account}  ${amountOf({ account, amount, symbol }, commodityName)}`
  return [
    ...head.map((line) => `; ${line}`),
    'option "title" "candlehouse"',
    'option "operating_currency" "VND"',
    '',
    ...[...accounts].sort().map((account) => `${first} open ${account}`),
    '',
    ...byDay(transactions, assertions, entry, check),
    '',
  ].join('\n')
}

/** https://hledger.org/hledger.html#balance-assertions: an assertion is a posting of nothing with the balance behind it. */
function hledger(head: readonly string[], { transactions, assertions }: Books): string {
  const quoted = (symbol: string): string => `"${/^[\w.-]+$/.test(symbol) ? symbol : commodityName(symbol)}"`
  const entry = ({ day, text, postings }: Transaction): string =>
    [
      `${day} * ${plain(text)}`,
      ...postings.map((posting) => `    ${posting.account}  ${amountOf(posting, quoted)}`),
    ].join('\n')
  const check = ({ day, account, amount, symbol }: Assertion): string => {
    const nothing = amountOf({ account, amount: 0, symbol }, quoted)
    return `${day} * balance\n    ${account}  ${nothing} = ${amountOf({ account, amount, symbol }, quoted)}`
  }
  return [...head.map((line) => `; ${line}`), '', ...byDay(transactions, assertions, entry, check), ''].join(
    '\n',
  )
}

function byDay(
  transactions: readonly Transaction[],
  assertions: readonly Assertion[],
  entry: (transaction: Transaction) => string,
  check: (assertion: Assertion) => string,
): string[] {
  const days = [...new Set([...transactions, ...assertions].map(({ day }) => day))].sort()
  return days.flatMap((day) => [
    ...transactions.filter((each) => each.day === day).map((each) => `${entry(each)}\n`),
    ...assertions.filter((each) => each.day === day).map(check),
    '',
  ])
}

function amountOf({ amount, symbol, total }: Posting, write: (symbol: string) => string): string {
  if (symbol === null) return `${money(amount)} VND`
  return `${amount} ${write(symbol)}${total === undefined ? '' : ` @@ ${money(total)} VND`}`
}

/** Without characters that end a string or begin a comment in either format. */
function plain(text: string): string {
  return text.replaceAll(/["\\;|\p{Cc}]/gu, ' ')
}

/** Hundredths as VND, exact. */
function money(cents: number): string {
  const whole = Math.trunc(cents / 100)
  const rest = Math.abs(cents % 100)
  const sign = cents < 0 && whole === 0 ? '-' : ''
  return `${sign}${whole}${rest === 0 ? '' : `.${String(rest).padStart(2, '0')}`}`
}
