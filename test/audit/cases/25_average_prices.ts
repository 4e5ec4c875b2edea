import { NOBODY, order, SHORT, snapshot } from '../accounts.js'
import { day, type RuleCase } from '../world.js'

const book = (...rows: ReturnType<typeof order>[]) => ({
  'account.snapshot': [snapshot()],
  'market.daily_summary': [day()],
  'account.order_book': rows,
})

export default {
  rule: 25,
  holds: [
    { when: 'a buy is filled below its limit', given: book(order({ price: '27050' })) },
    {
      when: 'nothing is filled, and there is no price',
      given: book(order({ filled_qty: '0', avg_price: '0', order_status: 'QU' })),
    },
    {
      when: 'an odd lot traded beyond the range',
      given: book(order({ quantity: '40', filled_qty: '40', avg_price: '26000' })),
    },
    { when: 'a market order names no limit', given: book(order({ order_type: 'MP', price: 'MP' })) },
  ],
  breaks: [
    {
      when: 'a buy is filled above its limit',
      given: book(order({ avg_price: '27050' })),
      offenders: [{ expected: 'at most 27000', actual: '27050', residual: '50.0000' }],
    },
    {
      when: 'a sell is filled below its limit',
      given: book(order({ side: 'S', price: '27100' })),
      offenders: [{ expected: 'at least 27100', residual: '-100.0000' }],
    },
    {
      when: 'a fill has no price',
      given: book(order({ avg_price: null })),
      offenders: [{ expected: 'a price of 100', actual: 'no price' }],
    },
    {
      when: 'a price has no fill',
      given: book(order({ filled_qty: '0', order_status: 'CL' })),
      offenders: [{ expected: 'no price', actual: '27000' }],
    },
  ],
  flags: [
    {
      when: "the average is beyond the day's range",
      given: book(order({ avg_price: '26900' })),
      offenders: [{ state: 'soft', expected: '26950 to 27100', actual: '26900', residual: '50.0000' }],
    },
  ],
  silent: [SHORT, NOBODY, { when: 'there are no orders', given: book(), note: /needs a complete snapshot/ }],
} satisfies RuleCase
