import { packageVersion } from 'candlehouse-foundation/package'
import type { FastifyInstance } from 'fastify'
import { writeMoment } from '../../broker/moment.js'
import { DEMO_API_KEY, DEMO_API_SECRET, DEMO_OTP } from '../../options.js'
import type { Service } from '../service.js'

/** `GET /`: what this is, and where to read on. Plain text, for people who open the address. */
export function frontPage(app: FastifyInstance, { clock, dialect, options }: Service): void {
  app.get('/', { schema: { hide: true } }, (request, reply) => {
    const address = `http://${request.headers.host ?? '127.0.0.1'}`
    const moves = options.drive ? '; POST /sandbox/clock moves it' : ''
    return reply.type('text/plain; charset=utf-8').send(`candlehouse sandbox ${packageVersion}

A simulated brokerage service with a made-up market. It listens on this machine only.

The time of its market is ${writeMoment(clock.now())} (UTC+7)${moves}.
It answers as ${dialect.name === 'live' ? 'live deployments are known to' : 'the specification has it'}.

  ${address}/openapi.json   all endpoints (OpenAPI 3.1)
  packages/sandbox/README.md${' '.repeat(Math.max(1, address.length - 10))}the guide: orders, signatures, faults, recipes for curl

Log in, then send the accessToken of the answer as "Authorization: Bearer …":

  curl ${address}/api/v3/auth/token \\
    -H 'Content-Type: application/json' \\
    -d '{"apiKey":"${DEMO_API_KEY}","apiSecret":"${DEMO_API_SECRET}","otp":"${DEMO_OTP}"}'

Every request needs the header Content-Type: application/json, GET included. If one is refused, the header
x-sandbox-problem names the field, and --log shows all requests.
`)
  })
}
