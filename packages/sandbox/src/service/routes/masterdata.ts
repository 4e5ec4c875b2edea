import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { boardAt } from '../../market/world/instrument.js'
import type { Service } from '../service.js'
import { sessionsIn } from '../service.js'
import { AsciiText } from '../wire/ascii-text.js'
import { jsonRecord, writeDay } from '../wire/format.js'
import { eachPart, lastingPage, pageOf, referenceEnvelope } from '../wire/paging.js'
import { paging, slashedDay } from '../wire/query.js'
import { invalidRequest } from '../wire/refusal.js'
import { reportedReference } from '../wire/reported-reference.js'
import { restater } from '../wire/restate.js'
import { mount, referencePage, strings } from './read-route.js'

/** Fields in the order of the specification. */
const MASTER_FIELDS = ['symbol', 'exchange', 'tradingDate', 'ceiling', 'floor', 'refPrice'] as const

/** GET masterdata: reference price and limits of every listed instrument, futures included, days ascending. */
export function masterdata(app: FastifyInstance, service: Service): void {
  const path = '/api/v3/data/masterdata'
  const { world, clock, format, options } = service
  const rows = new AsciiText()
  const restate = restater(options.restate ?? [], path)
  mount(app, service, {
    path,
    operationId: 'masterdata',
    summary: 'Ceiling, floor and reference price; the latest day when no range is given',
    query: z.object({ from: slashedDay.optional(), to: slashedDay.optional(), ...paging }),
    answers: referencePage('PriceLimits', strings('PriceLimits', MASTER_FIELDS)),
    lists: true,
    lasting: (query) => lastingPage(query, clock.lastPriced(), service),
    handle(query) {
      const last = clock.lastPriced()
      const latest = world.time.days[last] ?? ''
      // One bound alone is not in the specification: a missing one is read as the latest day, or as the other.
      const from = query.from ?? (query.to === undefined ? latest : query.to)
      const to = query.to ?? latest
      if (to < from && query.to !== undefined) throw invalidRequest('query to: is before from')
      const page = pageOf(query, service)
      rows.clear()
      const total = eachPart(
        {
          keys: sessionsIn(service, from, to, last),
          count: (session) => world.listedCount(session),
        },
        page,
        (session, first, end) => {
          const day = world.time.days[session] ?? ''
          const tradingDate = writeDay(day, format)
          for (const instrument of world.listed(session).slice(first, end)) {
            const { ceiling, floor, reference } = world.reference(instrument, session)
            const row = jsonRecord({
              symbol: instrument.symbol,
              exchange: boardAt(instrument, session),
              tradingDate,
              ceiling: String(ceiling),
              floor: String(floor),
              refPrice: String(reportedReference(service, instrument, session, reference)),
            })
            rows.record(restate(row, instrument.symbol, day))
          }
        },
      )
      return { empty: rows.length === 0, body: referenceEnvelope(page, total, rows) }
    },
  })
}
