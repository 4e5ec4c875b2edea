import { sha256 } from '../../home/sha256.js'

/** Name of a symbol as a commodity. Names begin with a capital letter, of two characters at least: those of contracts begin with a digit. */
export function commodityName(symbol: string): string {
  const name = /^\d/.test(symbol) ? `X${symbol}` : symbol
  return /^[A-Z][A-Z0-9._-]*[A-Z0-9]$/.test(name) && name.length <= LONGEST_COMMODITY ? name : oddName(symbol)
}

/** Number of a brokerage account as one part of the name of a ledger's account. */
export function accountPart(account: string): string {
  return /^[A-Z0-9]+$/.test(account) ? account : oddName(account)
}

/** beancount takes no longer one. */
const LONGEST_COMMODITY = 24

/** A service may name anything in any way: two names that are spelled alike here never become one. */
function oddName(name: string): string {
  const legible = name
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, '')
    .slice(0, 10)
  return `X-${legible}${legible && '-'}${sha256(name).slice(0, 8).toUpperCase()}`
}
