import { contracts, FUTURES, NOBODY, order, SHORT, snapshot } from '../accounts.js'
import { limit, type RuleCase, SESSION } from '../world.js'

const book = (...rows: ReturnType<typeof order>[]) => ({
  'account.snapshot': [snapshot()],
  'market.price_limit': [limit()],
  'account.order_book': rows,
})
const future = { account_no: FUTURES, symbol: contracts().symbol ?? null, order_type: 'LO' }

export default {
  rule: 26,
  holds: [
    { when: 'the price is the ceiling', given: book(order({ price: '28850' })) },
    {
      when: 'a contract is on a tenth of a point',
      given: {
        'account.snapshot': [snapshot({ account_no: FUTURES })],
        'market.price_limit': [
          limit({ symbol: 'VN30F2503', exchange: 'HNX', floor: '1200', ceiling: '1400' }),
        ],
        'account.order_book': [order({ ...future, price: '1285.3' })],
      },
    },
    {
      when: 'an order above the ceiling came after the board had closed: its session is the next one',
      given: book(order({ input_at: '2025-03-14 15:00:00+07', price: '28900' }), order({ order_id: 'o-2' })),
    },
  ],
  breaks: [
    {
      when: 'the price is above the ceiling',
      given: book(order({ price: '28900' })),
      offenders: [{ expected: '25150 to 28850', actual: '28900', residual: '50.0000' }],
    },
    {
      when: 'the price is between two ticks',
      given: book(order({ price: '27020' })),
      offenders: [{ expected: 'a multiple of 50', actual: '27020', residual: '20.0000' }],
    },
    {
      when: 'the price is above the ceiling, in the last minute of the board',
      given: book(order({ input_at: '2025-03-14 14:59:59+07', price: '28900' })),
      offenders: [{ actual: '28900' }],
    },
  ],
  silent: [
    SHORT,
    NOBODY,
    {
      when: 'there are only market orders',
      given: book(order({ order_type: 'MP', price: 'MP' })),
      note: /needs a limit order/,
    },
    {
      when: 'the exchange turned it down',
      given: book(order({ price: '99000', order_status: 'RJ' })),
      note: /needs a limit order/,
    },
    {
      when: 'it was entered after the close, for the next session',
      given: book(order({ price: '99000', input_at: `${SESSION} 17:00:00+07` })),
      note: /needs a limit order/,
    },
    {
      when: 'the limits of its day are not held',
      given: { 'account.snapshot': [snapshot()], 'account.order_book': [order()] },
      note: /needs a limit order/,
    },
  ],
} satisfies RuleCase
