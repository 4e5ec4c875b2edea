import type { Mutate, Passing, Wire } from '../proxy.js'

/** One lie: what it changes, in which answers. */
export interface Mutation {
  readonly name: string
  make(target: Target, random: () => number): Mutate
}

/** What there is to lie about. */
export interface Target {
  /** The session, as the wire writes it: YYYY/MM/DD. */
  readonly day: string
  readonly dayBefore: string
  /** Stocks that traded on the session, by board. */
  readonly stocks: readonly string[]
  readonly future: string
  readonly indexes: readonly string[]
  /** Accounts: cash, margin, derivative. */
  readonly accounts: readonly [cash: string, margin: string, derivative: string]
}

/** Changes one value, given as text. */
export type Change = (value: string, random: () => number) => string

/** Another digit somewhere before the decimal point. */
export const wrongDigit: Change = (value, random) => {
  const [whole = '', rest] = value.split('.')
  const digits = [...whole].flatMap((letter, at) => (/\d/.test(letter) ? [at] : []))
  const at = digits[Math.floor(random() * digits.length)] ?? 0
  const digit = (Number(whole[at]) + 1 + Math.floor(random() * 9)) % 10
  const changed = whole.slice(0, at) + digit + whole.slice(at + 1)
  return rest === undefined ? changed : `${changed}.${rest}`
}
export const thousand: Change = (value) => plain(Number(value) * 1000)
export const thousandth: Change = (value) => plain(Number(value) / 1000)
export const negative: Change = (value) => plain(-Number(value))
export const offByOne: Change = (value) => plain(Number(value) + 1)
export const lotLess: Change = (value) => plain(Number(value) - 100)

export function plain(value: number): string {
  return String(Math.round(value * 1e6) / 1e6)
}

export const text = (record: Wire, field: string): string => String(record[field] ?? '')

export const isNumber = (record: Wire, field: string): boolean =>
  /^-?\d+(\.\d+)?$/.test(text(record, field)) && Number(record[field]) !== 0

export const any = <T>(list: readonly T[], random: () => number): T =>
  list[Math.floor(random() * list.length)] as T

export const onDay =
  (day: string) =>
  (record: Wire): boolean =>
    text(record, 'tradingDate').startsWith(day)

/** Sets a field of every record that is meant. */
export function change(
  of: (passing: Passing) => Wire[],
  field: string,
  by: Change,
  random: () => number,
): Mutate {
  const seeds = new Map<string, string>()
  return (passing) => {
    let done = false
    for (const record of of(passing)) {
      if (!isNumber(record, field)) continue
      const before = text(record, field)
      // The same lie whenever it is asked.
      const after = seeds.get(before) ?? by(before, random)
      seeds.set(before, after)
      record[field] = after
      done ||= after !== before
    }
    return done
  }
}

/** Exchanges two fields. */
export function swap(of: (passing: Passing) => Wire[], one: string, other: string): Mutate {
  return (passing) => {
    let done = false
    for (const record of of(passing)) {
      const [a, b] = [record[one], record[other]]
      record[one] = b
      record[other] = a
      done ||= a !== b
    }
    return done
  }
}

export type Where = (target: Target, random: () => number) => (passing: Passing) => Wire[]

export function fields(
  of: string,
  where: Where,
  names: string,
  changes: Readonly<Record<string, Change>>,
): Mutation[] {
  return names.split(/\s+/).flatMap((field) =>
    Object.entries(changes).map(([how, by]) => ({
      name: `${of} ${field}: ${how}`,
      make: (target, random) => change(where(target, random), field, by, random),
    })),
  )
}

export function swaps(of: string, where: Where, pairs: readonly (readonly [string, string])[]): Mutation[] {
  return pairs.map(([one, other]) => ({
    name: `${of}: ${one} and ${other} swapped`,
    make: (target, random) => swap(where(target, random), one, other),
  }))
}
