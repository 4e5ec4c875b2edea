import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { payIn, payOut } from '../../broker/ledger/payments.js'
import { documentedAnswers, WITHOUT_TOKEN } from '../http/documented-answers.js'
import type { Service } from '../service.js'
import { accountNo } from '../wire/query.js'
import { Refusal } from '../wire/refusal.js'

const payment = z
  .object({ accountNo, amount: z.int().describe('VND; negative: paid out') })
  .meta({ examples: [{ accountNo: '0881234566', amount: 20_000_000 }] })

/** A payment into an account or out of it, which no brokerage takes over its API. It exists only with `--drive`. */
export function cashRoutes(app: FastifyInstance, service: Service): void {
  app.post(
    '/sandbox/cash',
    {
      schema: {
        operationId: 'payCash',
        summary: 'Pay money into an account, or out of it',
        security: WITHOUT_TOKEN,
        body: payment,
        response: documentedAnswers(payment, [400, 403]),
      },
    },
    (request) => {
      const { accountNo, amount } = request.body as z.output<typeof payment>
      const { ledger, agenda } = service.broker()
      if (!ledger.account(accountNo)) throw new Refusal(400, 'accountNo is not an account of the sandbox')
      if (amount >= 0) payIn(ledger, accountNo, amount, agenda.now())
      else if (!payOut(ledger, accountNo, -amount, agenda.now()))
        throw new Refusal(400, 'amount is more than can be withdrawn')
      return { accountNo, amount }
    },
  )
}
