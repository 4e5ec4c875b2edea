import type { Endpoint, PageFacts, Query } from './contract.js'
import { type DateForm, withDateForm } from './date-form.js'
import { factsOf, isPaged } from './endpoints.js'

/** How this deployment wants to be asked, learned per endpoint and kept by whoever keeps the client. */
export interface Dialect {
  pageSizeFor(endpoint: Endpoint): number | undefined
  /** The query in what is known of the dialect. Pages after the first keep the size their walk began with. */
  adapt(endpoint: Endpoint, query: Query): Query
  /** Other ways to ask a refused question, best first; empty when the question itself is at fault. */
  alternatives(endpoint: Endpoint, refused: Query, hint: string): readonly Query[]
  /** A question of this endpoint was taken, or none of many forms was: nothing more is learned by waiting. */
  isProved(endpoint: Endpoint): boolean
  /** The service took this query. */
  accepted(endpoint: Endpoint, query: Query, page: PageFacts): void
  /** A larger size was refused, this one was taken: ask that many from now on. */
  settle(endpoint: Endpoint, pageSize: number): void
  /** None of the alternatives was taken either. */
  futile(endpoint: Endpoint): void
  /** See PageFacts. */
  knownWhole(endpoint: Endpoint): number
  believesArray(endpoint: Endpoint): boolean
  believeArray(endpoint: Endpoint): void
}

/** What earlier versions allowed (10 to 1000), and the steps between (docs/market-facts.md#page-size). */
export const PAGE_SIZES = [1000, 500, 100, 50, 20, 10] as const

/** Refusals after which an endpoint that never answered is believed to mean the question. */
const PATIENCE = 3

interface Known {
  size: number
  /** Largest size ever taken; 0 when none was. */
  provedSize: number
  form: DateForm | undefined
  provedForm: boolean
  futile: number
  /** Longest page seen, and longest that a following empty page proved whole. */
  longest: number
  whole: number
  pending: Map<string, number>
  array: boolean
}

/** Unfinished walks whose first page is remembered; older ones only cost one more question. */
const PENDING = 64

/** @param pageSizes rows per page to begin with, learned by an earlier client */
export function createDialect(pageSizes: Readonly<Partial<Record<Endpoint, number>>>): Dialect {
  const byEndpoint = new Map<Endpoint, Known>()
  const of = (endpoint: Endpoint): Known => {
    const known = byEndpoint.get(endpoint) ?? {
      size: pageSizes[endpoint] ?? PAGE_SIZES[0],
      provedSize: 0,
      form: factsOf(endpoint).dateForms[0],
      provedForm: false,
      futile: 0,
      longest: 0,
      whole: 0,
      pending: new Map(),
      array: false,
    }
    byEndpoint.set(endpoint, known)
    return known
  }

  return {
    pageSizeFor: (endpoint) => (isPaged(endpoint) ? of(endpoint).size : undefined),

    adapt(endpoint, query) {
      const known = of(endpoint)
      const first = factsOf(endpoint).dateForms[0]
      const dated = known.form && known.form !== first ? withDateForm(query, known.form) : query
      const lower = isFirstPage(dated) && Number(dated.pageSize) > known.size
      return lower ? { ...dated, pageSize: String(known.size) } : dated
    },

    alternatives(endpoint, refused, hint) {
      const known = of(endpoint)
      if (known.futile >= PATIENCE || !isFirstPage(refused)) return []
      const now = this.adapt(endpoint, refused)
      if (!sameQuery(now, refused)) return [now]
      const size = Number(refused.pageSize ?? 0)
      const dateHint = /date|400213/i.test(hint)
      const sizeHint = !dateHint && /page|size/i.test(hint)
      const dated = refused.from !== undefined || refused.to !== undefined
      const others =
        known.provedForm || !dated || sizeHint
          ? []
          : factsOf(endpoint).dateForms.filter((form) => form !== known.form)
      const sizes =
        size > known.provedSize && isPaged(endpoint) && !dateHint
          ? PAGE_SIZES.filter((one) => one < size)
          : []
      const forms = others.map((form) => withDateForm(refused, form))
      if (sizes.length === 0) return forms
      // The smallest size first shows whether the size was refused; then the largest accepted size is searched.
      const smallest = [refused, ...forms].map((query) => ({ ...query, pageSize: String(sizes.at(-1)) }))
      return [...forms, ...smallest]
    },

    isProved: (endpoint) =>
      !isPaged(endpoint) || of(endpoint).provedSize > 0 || of(endpoint).futile >= PATIENCE,

    accepted(endpoint, query, page) {
      const known = of(endpoint)
      known.futile = 0
      const size = Number(query.pageSize ?? 0)
      known.provedSize = Math.max(known.provedSize, size)
      if (query.from !== undefined || query.to !== undefined) {
        known.form =
          factsOf(endpoint).dateForms.find((form) => sameQuery(withDateForm(query, form), query)) ??
          known.form
        known.provedForm = true
      }
      // A full page of the reported size with more to come; some services report the rows of a short page instead.
      const more = (page.itemsCount ?? 0) > page.rows || (page.pageCount ?? 0) > 1
      if (isFirstPage(query) && more && page.pageSize === page.rows && page.rows < size)
        known.size = Math.min(known.size, page.rows)
      if (isPaged(endpoint)) rememberLength(known, query, page)
    },

    settle(endpoint, pageSize) {
      of(endpoint).size = pageSize
    },
    futile(endpoint) {
      of(endpoint).futile++
    },
    knownWhole: (endpoint) => Math.max(of(endpoint).longest - 1, of(endpoint).whole),
    believesArray: (endpoint) => of(endpoint).array,
    believeArray(endpoint) {
      of(endpoint).array = true
    },
  }
}

/**
 * A hidden cap cannot be shorter than the longest page seen; a page that an empty one followed was whole.
 * So lists without counts cost a second question only when their first page is longer than any before.
 */
function rememberLength(known: Known, query: Query, page: PageFacts): void {
  const { pageIndex, pageSize, ...walk } = query
  const key = JSON.stringify(walk)
  const index = Number(pageIndex ?? 1)
  if (index === 1 && page.rows > 0) {
    if (known.pending.size >= PENDING) known.pending.delete(known.pending.keys().next().value ?? '')
    known.pending.set(key, page.rows)
  } else if (index === 2) {
    if (page.rows === 0) known.whole = Math.max(known.whole, known.pending.get(key) ?? 0)
    known.pending.delete(key)
  }
  known.longest = Math.max(known.longest, page.rows)
}

function isFirstPage(query: Query): boolean {
  return query.pageIndex === undefined || query.pageIndex === '1'
}

function sameQuery(one: Query, other: Query): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
