import type { Answer, Endpoint, Query, Verdict, Walk, WalkStep } from '../contract.js'
import { isPaged } from '../endpoints.js'
import { countRepeats, isSamePage } from './repeats.js'

/** Where the caller knows no ceiling: daily summaries of 1,700 symbols over two years are 850,000 rows. */
export const MOST_ROWS = 1_000_000

/** A list may need this many pages more than its rows fill, for pages that came short and the empty one at its end. */
const SPARE_PAGES = 3

const NO_LIST = new Uint8Array()

/**
 * The first step of a walk: `query` of the result is what to ask. Endpoints without pages are one-page walks
 * and ignore `pageSize`.
 *
 * @param pageSize rows to ask per page: what the client's `pageSizeFor` says
 * @param ceiling most distinct rows that the answer can have, margin included
 */
export function startWalk(
  endpoint: Endpoint,
  query: Query,
  pageSize: number | undefined,
  ceiling = MOST_ROWS,
): Walk {
  const paged = isPaged(endpoint) && pageSize !== undefined
  return {
    endpoint,
    query: paged ? { ...query, pageIndex: '1', pageSize: String(pageSize) } : query,
    page: 1,
    pageSize: paged ? pageSize : undefined,
    ceiling,
    rows: 0,
    repeated: 0,
    expected: undefined,
    pageCount: undefined,
    former: undefined,
    resized: false,
    doubtful: false,
  }
}

/**
 * What to ask after this answer, or how the walk ended. Pure. Knows its end from a count or a page count; where there is
 * neither, from an empty page or one that repeats the page before, since a short page may have been cut by a cap that
 * nobody states (docs/market-facts.md#candle-paging). Stops at its ceiling in any case.
 */
export function nextStep(walk: Walk, answer: Answer): WalkStep {
  if (answer.outcome === 'refused') return refused(walk, answer)
  const page = answer.page
  if (page.rows === 0) return ended({ ...walk, expected: walk.expected ?? page.itemsCount })
  if (walk.pageSize === undefined) return ended({ ...walk, rows: page.rows, expected: page.itemsCount })

  const list = page.list ? answer.body.subarray(page.list[0], page.list[1]) : undefined
  if (walk.former && list && isSamePage(walk.former, list)) {
    // A service that answers its last page for every page beyond it. A full first page again is one that never turns.
    if (walk.doubtful || (isUncounted(walk) && walk.page > 2)) return ended(walk)
    return incomplete(walk, `page ${walk.page} repeats page ${walk.page - 1}`, walk.repeated > 0)
  }
  const changedCounts = changedCount(walk, answer)
  const rows = walk.rows + page.rows
  const expected = walk.expected ?? page.itemsCount
  // More than there should be, on the page or altogether: then records are compared one by one.
  const overfull = walk.page > 1 && page.rows > walk.pageSize
  const surplus = overfull || (expected !== undefined && rows - walk.repeated > expected)
  const repeated = walk.repeated + (list ? countRepeats(walk.former ?? NO_LIST, list, surplus) : 0)
  const updated = { ...walk, rows, repeated, expected, pageCount: page.pageCount, former: list }
  if (changedCounts) return incomplete(updated, changedCounts, true)
  // Page 1 shows the cap of the pages after it. One of those that is cut again has lost rows before the next begins.
  if (walk.doubtful && walk.page > 2)
    return incomplete(updated, `page ${walk.page} has rows although page ${walk.page - 1} was short`, true)

  const size = sizeServed(walk, answer)
  const continuation = hasMore(updated, answer, size)
  if (continuation === 'end') return ended(updated)
  const distinctRows = rows - repeated
  if (distinctRows > walk.ceiling)
    return incomplete(
      updated,
      `${distinctRows} rows where at most ${walk.ceiling} are possible: stopped there`,
    )
  if (walk.page >= pageLimit(Math.min(expected ?? walk.ceiling, walk.ceiling), size))
    return incomplete(updated, `no end after ${walk.page} pages and ${rows} rows`)
  return {
    next: {
      ...updated,
      // The answer's own query: a refused date form may have been replaced on the way.
      query: { ...answer.query, pageIndex: String(walk.page + 1), pageSize: String(size) },
      page: walk.page + 1,
      pageSize: size,
      resized: size !== walk.pageSize,
      doubtful: continuation === 'doubt',
    },
  }
}

/**
 * Rows a page really holds. The stated size if it is smaller than the requested one; else the length of a first
 * page that came short although there is more.
 */
function sizeServed(walk: Walk, answer: Answer): number {
  const requestedSize = walk.pageSize ?? answer.page.rows
  if (walk.page > 1) return requestedSize
  const { pageSize: reported, rows } = answer.page
  return reported && reported < requestedSize && rows <= reported ? reported : Math.min(requestedSize, rows)
}

function hasMore(walk: Walk, answer: Answer, size: number): 'more' | 'doubt' | 'end' {
  const { rows, pageCount, pageSize: reported } = answer.page
  const requestedSize = walk.pageSize ?? rows
  const full = rows >= size
  if (walk.expected !== undefined) {
    if (pageCount !== undefined && walk.page < pageCount) return 'more'
    const distinctRows = walk.rows - walk.repeated
    return distinctRows < walk.expected && (pageCount === undefined || full) ? 'more' : 'end'
  }
  if (pageCount !== undefined) return walk.page < pageCount ? 'more' : 'end'
  return full && (rows >= requestedSize || reported === size) ? 'more' : 'doubt'
}

/** The service has shown no count yet. */
function isUncounted({ expected, pageCount }: Walk): boolean {
  return expected === undefined && pageCount === undefined
}

function changedCount(walk: Walk, answer: Answer): string | undefined {
  const { itemsCount, pageCount } = answer.page
  if (walk.page === 1) return undefined
  if (walk.expected !== undefined && itemsCount !== undefined && itemsCount !== walk.expected)
    return `count changed: itemsCount ${walk.expected}, then ${itemsCount}`
  if (
    !walk.resized &&
    walk.pageCount !== undefined &&
    pageCount !== undefined &&
    pageCount !== walk.pageCount
  )
    return `count changed: ${walk.pageCount} pages, then ${pageCount}`
  return undefined
}

function pageLimit(rows: number, size: number): number {
  return Math.ceil(rows / Math.max(1, size)) + SPARE_PAGES
}

function refused(walk: Walk, answer: Answer): WalkStep {
  if (walk.doubtful) return ended(walk)
  const refusal = answer.error
    ? `${answer.error.code} ${answer.error.message}`.trim()
    : `HTTP ${answer.status}`
  if (walk.page > 1) return incomplete(walk, `page ${walk.page} refused: ${refusal}`)
  return { closed: verdict(walk, 'refused', refusal) }
}

/** The pages have ended: distinct rows must be what the service counted. */
function ended(walk: Walk): WalkStep {
  const distinctRows = walk.rows - walk.repeated
  if (walk.expected !== undefined && distinctRows !== walk.expected)
    return incomplete(
      walk,
      `${distinctRows} rows where itemsCount says ${walk.expected}`,
      walk.repeated > 0 || distinctRows > walk.expected,
    )
  return { closed: verdict(walk, walk.rows === 0 ? 'empty' : 'complete') }
}

function incomplete(walk: Walk, reason: string, walkAgain = false): WalkStep {
  return { closed: { ...verdict(walk, 'incomplete', reason), walkAgain } }
}

function verdict(walk: Walk, state: Verdict['state'], reason?: string): Verdict {
  const { rows, repeated, expected } = walk
  return { state, reason, rows, repeated, expected, walkAgain: false }
}
