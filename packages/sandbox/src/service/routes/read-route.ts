import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { Memo } from '../../market/world/memo.js'
import { ACCOUNT_ERRORS, documentedAnswers, MARKET_ERRORS } from '../http/documented-answers.js'
import type { Service } from '../service.js'
import type { Dialect } from '../wire/answer-dialect.js'
import { asLive, asLiveSchema } from '../wire/live-answers.js'

/** Answer of a read: JSON as text or as its bytes, and whether it has no records. */
export interface Answer {
  empty: boolean
  body: string | Buffer
}

/** A read of the service: documented by its schemas, checked by the query's. */
export interface Read<Query extends z.ZodType> {
  path: string
  operationId: string
  summary: string
  query: Query
  /** Shape of the 200 answer, for the OpenAPI document: bodies are written by hand, for speed. */
  answers: z.ZodType
  /** Whether the answer is a list, which can be without records. */
  lists?: boolean
  /**
   * A name for the answer, the same for requests that are answered alike as long as the service runs: it is then computed once.
   * Undefined for answers that may change, and for those that cost nothing.
   */
  lasting?(query: z.output<Query>): string | undefined
  /** @param clientId client of the key */
  handle(query: z.output<Query>, clientId: string): Answer
}

/** Answers of an endpoint that are kept: 50 MB when all of them are the largest pages there are. */
const KEPT_ANSWERS = 48

/** A list without records, where the deployment does not send an empty one. */
const noRecords = z.object({ code: z.literal(204) }).meta({ title: 'NoRecords' })

/** The shape of the 200 answer in this dialect. */
function documentedShape({ path, answers, lists }: Read<z.ZodType>, { name, emptyAs }: Dialect): z.ZodType {
  const shape = name === 'live' ? asLiveSchema(path, answers) : answers
  return lists && emptyAs === 'code204' ? z.union([shape, noRecords]) : shape
}

/** Adds a read route; an empty answer has the form of this deployment. */
export function mount<Query extends z.ZodType>(
  app: FastifyInstance,
  service: Service,
  read: Read<Query>,
): void {
  const { path, operationId, summary, query, lasting, handle } = read
  const { dialect } = service
  const errors = path.startsWith('/api/v3/data/') ? MARKET_ERRORS : ACCOUNT_ERRORS
  const shape = documentedShape(read, dialect)
  const schema = { operationId, summary, querystring: query, response: documentedAnswers(shape, errors) }
  const kept = new Memo<string, Buffer>(KEPT_ANSWERS)
  const written = (asked: z.output<Query>, clientId: string): string | Buffer => {
    const { empty, body } = handle(asked, clientId)
    if (empty && dialect.emptyAs === 'code204') return '{"code":204}'
    return dialect.name === 'live' ? asLive(path, body.toString(), service) : body
  }
  app.get(path, { schema }, (request, reply) => {
    const asked = request.query as z.output<Query>
    const name = lasting?.(asked)
    const text =
      name === undefined
        ? written(asked, request.clientId)
        : kept.get(name, () => Buffer.from(written(asked, request.clientId)))
    return reply.type('application/json; charset=utf-8').send(text)
  })
}

/**
 * A record of the specification: string values, empty where there is no value.
 *
 * @param nullable fields that are null where there is no value
 */
export function strings(title: string, fields: readonly string[], nullable: readonly string[] = []) {
  const shape = (field: string) => (nullable.includes(field) ? z.string().nullable() : z.string())
  return z.object(Object.fromEntries(fields.map((field) => [field, shape(field)]))).meta({ title })
}

/** Fields that only derivatives have: of a share they are empty, or null (docs/market-facts.md#numbers-and-nulls). */
export const OF_DERIVATIVES = ['openInterest', 'settlementPrice'] as const

/** The envelope of securities summary and master data. */
export function referencePage(title: string, row: z.ZodObject) {
  return z
    .object({
      pageSize: z.int(),
      pageIndex: z.int(),
      pagesCount: z.int(),
      itemsCount: z.int(),
      data: z.array(row),
    })
    .meta({ title: `${title}Page` })
}
