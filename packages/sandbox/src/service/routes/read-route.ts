import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { ACCOUNT_ERRORS, documentedAnswers, MARKET_ERRORS } from '../http/documented-answers.js'
import type { Service } from '../service.js'
import { asLive } from '../wire/live-answers.js'

/** Answer of a read: JSON as text or as its bytes, and whether it has no records. */
export interface Answer {
  empty: boolean
  body: string | Buffer
}

/** A read of the service: documented by its schemas, checked by the query's. */
export interface Read<Query extends z.ZodType> {
  path: string
  summary: string
  query: Query
  /** Shape of the 200 answer, for the OpenAPI document: bodies are written by hand, for speed. */
  answers: z.ZodType
  /** @param clientId client of the key */
  handle(query: z.output<Query>, clientId: string): Answer
}

/** Live deployments differ from the specification in names and types. */
const liveAnswer = z.unknown().describe('as live deployments answer: docs/market-facts.md, Live deployments')

/** Adds a read route; an empty answer has the form of this deployment. */
export function mount<Query extends z.ZodType>(
  app: FastifyInstance,
  service: Service,
  { path, summary, query, answers, handle }: Read<Query>,
): void {
  const { dialect } = service
  const errors = path.startsWith('/api/v3/data/') ? MARKET_ERRORS : ACCOUNT_ERRORS
  const documented = dialect.name === 'live' ? liveAnswer : answers
  const schema = { summary, querystring: query, response: documentedAnswers(documented, errors) }
  app.get(path, { schema }, (request, reply) => {
    const { empty, body } = handle(request.query as z.output<Query>, request.clientId)
    const nothing = empty && dialect.emptyAs === 'code204'
    const text = nothing
      ? '{"code":204}'
      : dialect.name === 'live'
        ? asLive(path, body.toString(), service)
        : body
    return reply.type('application/json; charset=utf-8').send(text)
  })
}

/** A record of the specification: string values, empty where there is no value. */
export function strings(fields: readonly string[]) {
  return z.object(Object.fromEntries(fields.map((field) => [field, z.string()])))
}

/** The envelope of securities summary and master data. */
export function referencePage(fields: readonly string[]) {
  return z.object({
    pageSize: z.int(),
    pageIndex: z.int(),
    pagesCount: z.int(),
    itemsCount: z.int(),
    data: z.array(strings(fields)),
  })
}
