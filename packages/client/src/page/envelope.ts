import type { PageFacts } from '../contract.js'

type Counts = Pick<PageFacts, 'pageSize' | 'pageIndex' | 'pageCount' | 'itemsCount'>

/**
 * Names of the same four facts over the specification's envelopes (docs/brokerage-api.md#paging; order list;
 * FCO list with string counts). Matched in any case: casing varies between deployments
 * (docs/market-facts.md#letter-case).
 */
const NAMES: Readonly<Record<string, keyof Counts>> = {
  pagesize: 'pageSize',
  pageindex: 'pageIndex',
  pagenumber: 'pageIndex',
  pagescount: 'pageCount',
  pagecount: 'pageCount',
  itemscount: 'itemsCount',
  totalrecord: 'itemsCount',
}

/** Reads the counts of an envelope; undefined when absent, negative or not a whole number. */
export function readCounts(envelope: unknown): Counts {
  const counts: { -readonly [name in keyof Counts]: number | undefined } = {
    pageSize: undefined,
    pageIndex: undefined,
    pageCount: undefined,
    itemsCount: undefined,
  }
  if (typeof envelope !== 'object' || envelope === null) return counts
  for (const [name, value] of Object.entries(envelope)) {
    const key = NAMES[name.toLowerCase()]
    if (key) counts[key] = wholeNumber(value)
  }
  return counts
}

/** A member in any case. */
export function member(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  for (const [key, field] of Object.entries(value)) if (key.toLowerCase() === name.toLowerCase()) return field
  return undefined
}

function wholeNumber(value: unknown): number | undefined {
  if (typeof value !== 'number' && (typeof value !== 'string' || !/^\s*\d+\s*$/.test(value))) return undefined
  const number = Number(value)
  return Number.isSafeInteger(number) && number >= 0 ? number : undefined
}
