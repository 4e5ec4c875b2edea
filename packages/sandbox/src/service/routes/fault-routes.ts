import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { faultPlanForm } from '../../fault-plan-form.js'
import type { FaultPlan, FaultSchedule } from '../../planned-faults.js'
import { documentedAnswers, WITHOUT_TOKEN } from '../http/documented-answers.js'
import { Refusal } from '../wire/refusal.js'

const shownPlan = z.object({ faults: z.array(z.record(z.string(), z.unknown())) })

/**
 * Routes that no brokerage has: they show, replace and remove the planned faults of a running sandbox. They need no
 * token, and no fault applies to them.
 */
export function faultRoutes(app: FastifyInstance, faults: FaultSchedule): void {
  const path = '/sandbox/faults'
  const show = () => ({ faults: faults.shown() })
  const schema = { security: WITHOUT_TOKEN, response: documentedAnswers(shownPlan, [403]) }
  app.get(
    path,
    {
      schema: {
        ...schema,
        operationId: 'showFaults',
        summary: 'Show the planned faults and how many calls they met',
      },
    },
    show,
  )
  app.post(
    path,
    {
      schema: {
        ...schema,
        operationId: 'replaceFaults',
        summary: 'Replace the planned faults; calls are counted anew',
        body: faultPlanForm,
        response: documentedAnswers(shownPlan, [400, 403]),
      },
    },
    (request) => {
      faults.replace((request.body as { faults: FaultPlan }).faults)
      return show()
    },
  )
  app.delete(
    path,
    { schema: { ...schema, operationId: 'removeFaults', summary: 'Remove all planned faults' } },
    () => {
      faults.replace([])
      return show()
    },
  )
}

const LOOPBACK = /^(127(\.\d{1,3}){3}|localhost|\[::1\])(:\d+)?$/

/**
 * Routes under /sandbox/ need no token, so that a page in a browser must not reach them: neither by a foreign name that
 * leads to this machine, nor from another origin.
 *
 * @throws Refusal
 */
export function refuseForeign({ headers: { host = '', origin } }: FastifyRequest): void {
  if (LOOPBACK.test(host) && origin === undefined) return
  throw new Refusal(403, 'Only from this machine', {
    problem: 'header Host or Origin: expected a loopback address, and no request of a web page',
  })
}
