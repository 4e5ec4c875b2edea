import type { Answer, Query } from '../contract.js'
import { decode } from '../decode/decode.js'
import type { RowOf } from '../decode/rows.js'
import type { Accounts } from '../facets.js'
import { errorBody } from '../page/error-body.js'
import { jsonOf } from '../page/response.js'
import { pages } from '../walk/pages.js'

export type ListEndpoint = 'orderBook' | 'fcoList'

/** Large pages first; a list that does not add up is read again with small ones (docs/market-facts.md#order-book-paging). */
const PAGE_SIZES = [1000, 100] as const

/** A list as it was read from its first page to its last. */
export interface ListReading<Row> {
  /** Rows by their own id, each once; of all attempts. */
  readonly rows: ReadonlyMap<string, Row>
  /** Ids that the latest attempt showed. */
  readonly ids: ReadonlySet<string>
  /** Largest count of records that any page stated; -1 when none stated a count. */
  readonly highestCount: number
  /** Why the rows may not be all there are, on one line; undefined when all were read and counted. */
  readonly gap: string | undefined
  /** Service's clock minus this machine's, milliseconds; undefined when no answer had a `Date` header. */
  readonly clockOffset: number | undefined
}

const NOTHING_READ = { rows: [], faults: [] } as const

interface ListOptions<Row> {
  /** The row's own id: rows are counted by it. */
  idOf(row: Row): string | null
  /** A row after which nothing else needs to be read. */
  isDecisive(row: Row): boolean
  readonly signal: AbortSignal | undefined
}

/**
 * Reads a list through its pages and counts it: the distinct ids must be as many as every page states. A list that
 * moves while it is read, is cut short, refused or has no count leaves a gap.
 *
 * @throws what the facet throws
 */
export async function readWholeList<E extends ListEndpoint>(
  accounts: Pick<Accounts, 'get'>,
  endpoint: E,
  query: Query,
  options: ListOptions<RowOf[E]>,
): Promise<ListReading<RowOf[E]>> {
  const list = new CountedList<RowOf[E]>(options)
  for (const pageSize of PAGE_SIZES) {
    list.begin()
    const { signal } = options
    for await (const page of pages(accounts, endpoint, query, { pageSize, ...(signal && { signal }) })) {
      const decoded = decode(endpoint, page)
      const { rows, faults } = decoded.kind === 'rows' ? decoded : NOTHING_READ
      // A refused page has its reason in `end`.
      list.add(page, rows, faults[0] && `${faults[0].at}: ${faults[0].reason}`)
      if (page.end) list.end(page.end.state === 'complete' ? undefined : page.end.reason)
      if (list.decided || page.end?.state === 'refused') return list.reading()
    }
    if (list.isWhole) break
  }
  return list.reading()
}

class CountedList<Row> {
  decided = false
  private readonly rows = new Map<string, Row>()
  private ids = new Set<string>()
  private counts = new Set<number>()
  private highestCount = -1
  private gap: string | undefined
  private clockOffset: number | undefined

  constructor(private readonly options: ListOptions<Row>) {}

  get isWhole(): boolean {
    return this.gap === undefined
  }

  begin(): void {
    this.ids = new Set()
    this.counts = new Set()
    this.gap = undefined
  }

  add(answer: Answer, rows: readonly Row[], fault: string | undefined): void {
    const { serviceTime, receivedAt } = answer
    if (serviceTime !== undefined) this.clockOffset ??= serviceTime - receivedAt
    const count = countOf(answer)
    if (count !== undefined) {
      this.counts.add(count)
      this.highestCount = Math.max(this.highestCount, count)
    }
    this.gap ??= fault
    for (const row of rows) {
      const id = this.options.idOf(row)
      if (!id) this.gap ??= 'a record has no id'
      // Unnamed rows are searched too; no id of the service looks like this.
      this.rows.set(id || `unnamed ${this.rows.size}`, row)
      if (id) this.ids.add(id)
      this.decided ||= this.options.isDecisive(row)
    }
  }

  end(reason: string | undefined): void {
    this.gap ??= reason
    const [count, otherCount] = this.counts
    if (count === undefined) this.gap ??= 'the list states no count of its records'
    else if (otherCount !== undefined) this.gap ??= `count changed: ${count}, then ${otherCount}`
    else if (this.ids.size !== count) this.gap ??= `${this.ids.size} records where the count is ${count}`
  }

  reading(): ListReading<Row> {
    const { rows, ids, highestCount, gap, clockOffset } = this
    return { rows, ids, highestCount, gap, clockOffset }
  }
}

/** Records the list has in all. `{"code":204}` and HTTP 204 state that there are none (docs/market-facts.md#empty-results). */
function countOf({ outcome, page, body }: Answer): number | undefined {
  if (page.itemsCount !== undefined || outcome !== 'empty') return page.itemsCount
  return page.pageIndex === undefined && (body.length === 0 || errorBody(jsonOf(body))?.code === '204')
    ? 0
    : undefined
}
