import swagger from '@fastify/swagger'
import { packageVersion } from 'candlehouse-foundation/package'
import type { FastifyInstance } from 'fastify'
import { jsonSchemaTransform } from 'fastify-type-provider-zod'
import type { OpenAPIV3_1 } from 'openapi-types'

const DESCRIPTION = `A brokerage service with a made-up market. Every request carries Content-Type: application/json, GET
included. Errors are {code, msg}; the header x-sandbox-problem of a refused request names the field. A method that a path
does not have is 405 with Allow. Every request can be limited: 429 with Retry-After. The guide, with recipes for curl and
signatures, is packages/sandbox/README.md.`

/** What operations are about, by the beginning of their path. */
const TAGS = [
  ['/api/v3/auth/', 'Signing in', 'Tokens and one-time passwords.'],
  ['/api/v3/data/', 'Market data', 'Securities, summaries, limits and candles.'],
  ['/api/v3/account/', 'Accounts', 'Accounts, balances, positions and quantities.'],
  ['/api/v3/trading/fco/', 'Conditional orders', 'Orders that wait for a price.'],
  ['/api/v3/trading/order', 'Orders', 'Ordinary orders and the order book.'],
  ['/api/v3/trading/', 'Accounts', ''],
  ['/sandbox/', 'Sandbox', 'What no brokerage has: its clock, its faults, payments.'],
] as const

/** As the schemas have it, but for the header that HTTP writes in lower case and people do not, and bodies that are documented apart. */
const describeRoute: typeof jsonSchemaTransform = (route) => {
  const { documentedBody, ...schema } = (route.schema ?? {}) as Record<string, unknown>
  const described = jsonSchemaTransform({
    ...route,
    schema: documentedBody ? { ...schema, body: documentedBody } : schema,
  } as typeof route)
  const { headers } = described.schema as {
    headers?: { properties?: Record<string, unknown>; required?: string[] }
  }
  const tag = TAGS.find(([path]) => route.url.startsWith(path))
  const signature = headers?.properties?.['x-signature']
  return {
    ...described,
    schema: {
      ...described.schema,
      ...(tag ? { tags: [tag[1]] } : {}),
      ...(signature
        ? {
            headers: {
              type: 'object',
              properties: { 'X-Signature': signature },
              required: ['X-Signature'],
            },
          }
        : {}),
    },
  }
}

/** Collects the schemas of the routes that are added after it for the OpenAPI document. */
export async function describeApi(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'candlehouse sandbox',
        version: packageVersion,
        description: DESCRIPTION,
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      tags: TAGS.filter(([, , description]) => description !== '').map(([, name, description]) => ({
        name,
        description,
      })),
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } } },
      security: [{ bearer: [] }],
    },
    transform: describeRoute,
  })
}

/** What a request and its answers looked like on the wire, by operation. */
export type WireExamples = ReadonlyMap<string, WireExample>

export interface WireExample {
  readonly request: unknown
  /** By status. */
  readonly answers: ReadonlyMap<string, unknown>
}

/** Headers of every answer, and of some. */
const HEADERS: Readonly<Record<string, OpenAPIV3_1.HeaderObject>> = {
  'X-RATELIMIT-LIMIT': { description: 'Requests allowed in a window', schema: { type: 'string' } },
  'X-RATELIMIT-REMAINING': { description: 'Requests left in this window', schema: { type: 'string' } },
  'X-RATELIMIT-RESET': { description: 'Seconds until the window ends', schema: { type: 'string' } },
  'x-sandbox-problem': {
    description: 'The field, and what was expected. No brokerage sends it.',
    schema: { type: 'string' },
  },
  'Retry-After': { description: 'Seconds until the next request is accepted', schema: { type: 'string' } },
}

type Operation = OpenAPIV3_1.OperationObject
type Schema = Record<string, unknown>

/**
 * The document of the swagger plugin with named schemas, headers, examples from the wire and the address that it was asked at. A
 * schema with a title is named by it.
 */
export function completeDocument(
  document: OpenAPIV3_1.Document,
  examples: WireExamples,
  address: string,
): OpenAPIV3_1.Document {
  const complete = structuredClone(document)
  const schemas: Record<string, Schema> = {}
  for (const [path, item] of Object.entries(complete.paths ?? {})) {
    for (const operation of Object.values(item ?? {}) as Operation[]) {
      nameSchemas(operation, schemas)
      allowEmpty(operation)
      addHeaders(operation, path.startsWith('/api/'))
      addExamples(operation, examples.get(operation.operationId ?? ''))
    }
  }
  return {
    ...complete,
    servers: [{ url: address, description: 'This sandbox' }],
    components: { ...complete.components, schemas, headers: HEADERS },
  } as OpenAPIV3_1.Document
}

/** As in a form, an empty parameter counts as absent. */
function allowEmpty({ parameters = [] }: Operation): void {
  for (const parameter of parameters as OpenAPIV3_1.ParameterObject[])
    if (parameter.in === 'query' && !parameter.required) parameter.allowEmptyValue = true
}

/** Every media type of an operation, of its request and of its answers. */
function mediaOf(operation: Operation): { status: string; media: OpenAPIV3_1.MediaTypeObject }[] {
  const of = (status: string, content: Record<string, OpenAPIV3_1.MediaTypeObject> = {}) =>
    Object.values(content).map((media) => ({ status, media }))
  const { content } = (operation.requestBody ?? {}) as OpenAPIV3_1.RequestBodyObject
  return [
    ...of('', content),
    ...Object.entries(operation.responses ?? {}).flatMap(([status, response]) =>
      of(status, (response as OpenAPIV3_1.ResponseObject).content),
    ),
  ]
}

function nameSchemas(operation: Operation, schemas: Record<string, Schema>): void {
  for (const { media } of mediaOf(operation))
    if (media.schema) media.schema = named(media.schema as Schema, schemas) as OpenAPIV3_1.SchemaObject
}

/** @returns the schema, or a reference to it where it has a title; parts of it alike */
function named(schema: Schema, schemas: Record<string, Schema>): Schema {
  const { title, $schema: _, ...rest } = schema
  const parts = Object.fromEntries(
    Object.entries(rest).map(([key, value]) => [key, namedPart(key, value, schemas)]),
  )
  if (typeof title !== 'string') return parts
  const known = schemas[title]
  const whole = withDiscriminator(parts, schemas)
  if (known && JSON.stringify(known) !== JSON.stringify(whole))
    throw new RangeError(`two schemas of the OpenAPI document have the name ${title}`)
  schemas[title] = whole
  return { $ref: `#/components/schemas/${title}` }
}

function namedPart(key: string, value: unknown, schemas: Record<string, Schema>): unknown {
  const isSchema = (part: unknown): part is Schema =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
  if (key === 'properties' && isSchema(value))
    return Object.fromEntries(
      Object.entries(value).map(([name, part]) => [name, isSchema(part) ? named(part, schemas) : part]),
    )
  if (['oneOf', 'anyOf', 'allOf'].includes(key) && Array.isArray(value))
    return value.map((part) => (isSchema(part) ? named(part, schemas) : part))
  if ((key === 'items' || key === 'additionalProperties') && isSchema(value)) return named(value, schemas)
  return value
}

/** A choice of named schemas names the field whose constant decides, for those who generate code. */
function withDiscriminator(schema: Schema, schemas: Record<string, Schema>): Schema {
  if (!Array.isArray(schema.oneOf)) return schema
  const mapping = Object.fromEntries(
    (schema.oneOf as { $ref: string }[]).map(({ $ref }) => {
      const { properties } = schemas[$ref.slice($ref.lastIndexOf('/') + 1)] as {
        properties: { type: { enum: readonly [string] } }
      }
      return [properties.type.enum[0], $ref]
    }),
  )
  return { ...schema, discriminator: { propertyName: 'type', mapping } }
}

function addHeaders(operation: Operation, isOfService: boolean): void {
  for (const [status, response] of Object.entries(operation.responses ?? {})) {
    const names = Object.keys(HEADERS).filter(
      (name) =>
        (name.startsWith('X-RATELIMIT') && isOfService) ||
        (name === 'x-sandbox-problem' && Number(status) >= 400) ||
        (name === 'Retry-After' && status === '429'),
    )
    const headers = Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
    if (names.length > 0) (response as OpenAPIV3_1.ResponseObject).headers = headers
  }
}

function addExamples(operation: Operation, example: WireExample | undefined): void {
  if (!example) return
  for (const { status, media } of mediaOf(operation)) {
    const value = status === '' ? example.request : example.answers.get(status)
    if (value !== undefined) media.example = value
  }
}
