import swagger from '@fastify/swagger'
import { packageVersion } from 'candlehouse-foundation/package'
import type { FastifyInstance } from 'fastify'
import { jsonSchemaTransform } from 'fastify-type-provider-zod'

const DESCRIPTION = `A brokerage service with a made-up market. Every request carries Content-Type: application/json, GET
included. Errors are {code, msg}; the header x-sandbox-problem of a refused request names the field. A method that a path
does not have is 405 with Allow. Every request can be limited: 429 with Retry-After. The guide, with recipes for curl and
signatures, is packages/sandbox/README.md.`

/** As the schemas have it, but for the header that HTTP writes in lower case and people do not. */
const describeRoute: typeof jsonSchemaTransform = (route) => {
  const described = jsonSchemaTransform(route)
  const { headers } = described.schema as {
    headers?: { properties?: Record<string, unknown>; required?: string[] }
  }
  const signature = headers?.properties?.['x-signature']
  if (!signature) return described
  return {
    ...described,
    schema: {
      ...described.schema,
      headers: { type: 'object', properties: { 'X-Signature': signature }, required: ['X-Signature'] },
    },
  }
}

/** Collects the schemas of the routes that are added after it for the OpenAPI document. */
export async function describeApi(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'candlehouse sandbox', version: packageVersion, description: DESCRIPTION },
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } } },
      security: [{ bearer: [] }],
    },
    transform: describeRoute,
  })
}
