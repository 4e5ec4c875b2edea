import type { Endpoint, PageFacts, Query } from './contract.js'
import { type DateForm, withDateForm } from './date-form.js'
import { factsOf, isPaged } from './endpoints.js'

/** What earlier versions allowed (10 to 1000), and the steps between (docs/market-facts.md#page-size). */
export const PAGE_SIZES = [1000, 500, 100, 50, 20, 10] as const

/** Refusals after which the query itself is at fault, not its form. */
const PATIENCE = 3

/** What is known of an endpoint. */
interface Learned {
  size: number
  /** Largest accepted size; 0 when none was accepted yet. */
  provedSize: number
  form: DateForm | undefined
  provedForm: boolean
  futile: number
  array: boolean
}

/**
 * Request forms that this deployment accepts, learned per endpoint: page sizes, forms of dates, bare arrays. Lives as
 * long as the client.
 */
export class LearnedDialect {
  private readonly byEndpoint = new Map<Endpoint, Learned>()

  /** @param pageSizes rows per page to begin with, learned by an earlier client */
  constructor(private readonly pageSizes: Readonly<Partial<Record<Endpoint, number>>>) {}

  pageSizeFor(endpoint: Endpoint): number | undefined {
    return isPaged(endpoint) ? this.learned(endpoint).size : undefined
  }

  /** The query in the learned forms. Pages after the first keep the size that their walk began with. */
  adapt(endpoint: Endpoint, query: Query): Query {
    const { size, form } = this.learned(endpoint)
    const firstForm = factsOf(endpoint).dateForms[0]
    const dated = (form && form !== firstForm && withDateForm(query, form)) || query
    const isTooLarge = isFirstPage(dated) && Number(dated.pageSize) > size
    return isTooLarge ? { ...dated, pageSize: String(size) } : dated
  }

  /** Other forms of a refused query, best first; empty when the form is not the reason of the refusal. */
  alternatives(endpoint: Endpoint, refused: Query, hint: string): readonly Query[] {
    const learned = this.learned(endpoint)
    if (learned.futile >= PATIENCE || !isFirstPage(refused)) return []
    const adapted = this.adapt(endpoint, refused)
    if (!isSameQuery(adapted, refused)) return [adapted]
    const dateHint = /date|400213/i.test(hint)
    const sizeHint = !dateHint && /page|size/i.test(hint)
    const otherForms = sizeHint ? [] : otherDateForms(endpoint, refused, learned)
    const smallerSizes = dateHint ? [] : smallerPageSizes(endpoint, refused, learned)
    const dated = otherForms
      .map((form) => withDateForm(refused, form))
      .filter((query): query is Query => query !== undefined)
    if (smallerSizes.length === 0) return dated
    // The smallest size shows whether the size is the reason; the largest accepted size is searched afterwards.
    const smallest = String(smallerSizes.at(-1))
    return [...dated, ...[refused, ...dated].map((query) => ({ ...query, pageSize: smallest }))]
  }

  /** True when there is nothing left to learn: a query was accepted, or several refusals had no alternative. */
  isProved(endpoint: Endpoint): boolean {
    const { provedSize, futile } = this.learned(endpoint)
    return !isPaged(endpoint) || provedSize > 0 || futile >= PATIENCE
  }

  /** The service accepted this query. */
  accepted(endpoint: Endpoint, query: Query, page: PageFacts): void {
    const learned = this.learned(endpoint)
    learned.futile = 0
    const size = Number(query.pageSize ?? 0)
    learned.provedSize = Math.max(learned.provedSize, size)
    if (query.from !== undefined || query.to !== undefined) {
      const { dateForms } = factsOf(endpoint)
      const isWrittenIn = (form: DateForm): boolean => {
        const written = withDateForm(query, form)
        return written !== undefined && isSameQuery(written, query)
      }
      learned.form = dateForms.find(isWrittenIn) ?? learned.form
      learned.provedForm = true
    }
    // Only a full page shows a cap: some services report the rows of a short page as its size.
    const hasMore = (page.itemsCount ?? 0) > page.rows || (page.pageCount ?? 0) > 1
    if (isFirstPage(query) && hasMore && page.pageSize === page.rows && page.rows < size)
      learned.size = Math.min(learned.size, page.rows)
  }

  /** A larger size was refused and this one was accepted: use this size from now on. */
  settle(endpoint: Endpoint, pageSize: number): void {
    this.learned(endpoint).size = pageSize
  }

  /** All alternatives were refused too. */
  futile(endpoint: Endpoint): void {
    this.learned(endpoint).futile++
  }

  /** Whether a bare array is accepted where the specification has an envelope. */
  believesArray(endpoint: Endpoint): boolean {
    return this.learned(endpoint).array
  }

  believeArray(endpoint: Endpoint): void {
    this.learned(endpoint).array = true
  }

  private learned(endpoint: Endpoint): Learned {
    const learned = this.byEndpoint.get(endpoint) ?? {
      size: this.pageSizes[endpoint] ?? PAGE_SIZES[0],
      provedSize: 0,
      form: factsOf(endpoint).dateForms[0],
      provedForm: false,
      futile: 0,
      array: false,
    }
    this.byEndpoint.set(endpoint, learned)
    return learned
  }
}

function otherDateForms(endpoint: Endpoint, { from, to }: Query, learned: Learned): readonly DateForm[] {
  if (learned.provedForm || (from === undefined && to === undefined)) return []
  return factsOf(endpoint).dateForms.filter((form) => form !== learned.form)
}

function smallerPageSizes(endpoint: Endpoint, { pageSize }: Query, learned: Learned): readonly number[] {
  const size = Number(pageSize ?? 0)
  return isPaged(endpoint) && size > learned.provedSize ? PAGE_SIZES.filter((step) => step < size) : []
}

function isFirstPage(query: Query): boolean {
  return query.pageIndex === undefined || query.pageIndex === '1'
}

function isSameQuery(a: Query, b: Query): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}
