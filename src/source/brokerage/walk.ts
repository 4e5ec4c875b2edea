import {
  type Answer,
  createRetryBudget,
  nextStep,
  type PageFacts,
  type Query,
  type ReadLimits,
  UnansweredError,
  type Verdict,
  type Walk,
} from 'candlehouse-client/reading'
import type { PageRecord, WalkEnd } from '../../land/journal.js'
import { NoAnswerError, type SourcePage, type SourceWalk } from '../source.js'

type Request = (query: Query, signal: AbortSignal, limits: ReadLimits) => Promise<Answer>

/** @param start the walk before its first page */
export function sourceWalk(start: Walk, request: Request): SourceWalk {
  const { endpoint, query, pageSize } = start
  return {
    endpoint,
    query,
    pageSize,
    async *pages({ attempts, retries }, signal) {
      const budget = createRetryBudget(retries)
      const limits = { attempts, budget }
      let walk: Walk | undefined = start
      while (walk) {
        const answer = await answerTo(walk, (asked) => request(asked, signal, limits))
        const step = nextStep(walk, answer)
        yield pageOf(answer, step.closed)
        walk = step.next
      }
    },
  }
}

/** @throws NoAnswerError where no attempt returned a page */
async function answerTo({ query, page }: Walk, request: (query: Query) => Promise<Answer>): Promise<Answer> {
  try {
    return await request(query)
  } catch (error) {
    if (!(error instanceof UnansweredError)) throw error
    const { message, hint, reach, kind, last } = error
    const about = { query, page, isOutage: reach === 'service', isTimeout: kind === 'timeout', last }
    throw new NoAnswerError(message, about, { hint, cause: error })
  }
}

function pageOf(answer: Answer, closed: Verdict | undefined): SourcePage {
  const { query, status, attempts, body, wire, receivedAt, outcome, page } = answer
  return {
    query,
    status,
    attempts,
    body,
    wire,
    receivedAt,
    rows: page.rows,
    told: countsOf(page),
    shape: outcome === 'rows' ? page.shape : 'none',
    fields: page.fields,
    plain: page.plain,
    end: closed ? endOf(closed, answer) : null,
    hasShifted: closed?.walkAgain === true,
  }
}

function countsOf({ itemsCount, pageCount, pageSize }: PageFacts): NonNullable<PageRecord['told']> {
  return {
    ...(itemsCount === undefined ? {} : { items: itemsCount }),
    ...(pageCount === undefined ? {} : { pages: pageCount }),
    ...(pageSize === undefined ? {} : { size: pageSize }),
  }
}

/** `400` refuses the query: the service may not have what it asks for. Every other refusal is a failure. */
function endOf({ state, reason }: Verdict, { status, error }: Answer): WalkEnd {
  const isOfQuery = status === 400 || error?.code.startsWith('400') === true
  if (state !== 'refused' || isOfQuery) return { state, reason: reason ?? null }
  return { state: 'incomplete', reason: `refused: ${reason}`, code: 'failed' }
}
