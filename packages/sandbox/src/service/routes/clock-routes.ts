import { EXCHANGE_OFFSET_MS } from 'candlehouse-foundation/market/day'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { readMoment } from '../../broker/moment.js'
import { documentedAnswers, WITHOUT_TOKEN } from '../http/documented-answers.js'
import type { Service } from '../service.js'
import type { Sessions } from '../signin/sessions.js'
import { Refusal } from '../wire/refusal.js'

const shown = z.object({ now: z.string().describe('exchange time, with its offset') })

const move = z.union([
  z.object({ to: z.string() }).strict(),
  z.object({ byMs: z.int().nonnegative() }).strict(),
])

/**
 * Routes that no brokerage has: they move the clock and approve a login as the mobile app would. They exist only with
 * `--drive`, and like the whole sandbox only on loopback.
 */
export function clockRoutes(app: FastifyInstance, service: Service, sessions: Sessions): void {
  const { clock } = service
  const showClock = () => {
    const local = new Date(clock.now() + EXCHANGE_OFFSET_MS).toISOString().replace('Z', '+07:00')
    return { now: local }
  }
  app.get(
    '/sandbox/clock',
    {
      schema: {
        operationId: 'showClock',
        summary: 'Show the clock',
        security: WITHOUT_TOKEN,
        response: documentedAnswers(shown, [403]),
      },
    },
    showClock,
  )
  app.post(
    '/sandbox/clock',
    {
      schema: {
        operationId: 'moveClock',
        summary: 'Move the clock forward',
        security: WITHOUT_TOKEN,
        body: move,
        response: documentedAnswers(shown, [400, 403]),
      },
    },
    (request) => {
      const target = request.body as z.output<typeof move>
      const instant = 'to' in target ? readMoment(target.to)?.instant : clock.now() + target.byMs
      if (instant === undefined)
        throw new Refusal(400, 'to is an instant that exists, such as 2025-11-20T10:00:00+07:00')
      // What happens on the way happens now, so that a request sees all of it.
      service.broker()
      if (!clock.moveTo(instant))
        throw new Refusal(400, `the clock moves forward only: it is ${showClock().now}`)
      service.broker()
      return showClock()
    },
  )
  const answer = z.object({ transactionId: z.string(), approve: z.boolean() })
  app.post(
    '/sandbox/smart-otp',
    {
      schema: {
        operationId: 'answerSmartOtp',
        summary: 'Approve or decline a Smart OTP request',
        security: WITHOUT_TOKEN,
        body: answer,
        response: documentedAnswers(answer, [400, 403, 404]),
      },
    },
    (request) => {
      const { transactionId, approve } = request.body as z.output<typeof answer>
      if (!sessions.answerSmartOtp(transactionId, approve)) throw new Refusal(404, 'no such pending request')
      return { transactionId, approve }
    },
  )
}
