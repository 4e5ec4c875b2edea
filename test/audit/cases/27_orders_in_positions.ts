import {
  ACCOUNT,
  NOBODY,
  order,
  position,
  SESSIONS,
  SHORT,
  snapshot,
  UNLISTED,
  unlisted,
} from '../accounts.js'
import { type RuleCase, SESSION_BEFORE } from '../world.js'

const held = (over: ReturnType<typeof position>, ...rows: ReturnType<typeof order>[]) => ({
  ...SESSIONS,
  'account.snapshot': [snapshot()],
  'account.equity_position': [position(over)],
  'account.order_book': rows,
})
const working = { filled_qty: '40', order_status: 'PF' }
const wrong = held({ bought_quantity: '100', buying_quantity: '60' }, order(working))

export default {
  rule: 27,
  strict: [ACCOUNT],
  holds: [
    {
      when: 'a part of a buy has traded',
      given: held({ bought_quantity: '40', buying_quantity: '60' }, order(working)),
    },
    {
      when: 'a sell works, and another has ended',
      given: held(
        { selling_quantity: '60', sold_quantity: '40' },
        order({ ...working, side: 'S' }),
        order({ order_id: '2', side: 'S', filled_qty: '0', cancel_qty: '100', order_status: 'CL' }),
      ),
    },
    {
      when: 'what was bought in the session before is not counted again',
      given: held({}, order({ input_at: `${SESSION_BEFORE} 10:00:00+07` })),
    },
    {
      when: 'another account of the same evening holds and orders the same symbol',
      given: {
        ...SESSIONS,
        'account.snapshot': [snapshot(), snapshot({ account_no: UNLISTED })],
        'account.equity_position': [
          position({ bought_quantity: '40', buying_quantity: '60' }),
          position({ account_no: UNLISTED, bought_quantity: '100' }),
        ],
        'account.order_book': [order(working), order({ account_no: UNLISTED, order_id: '2' })],
      },
    },
    {
      when: 'what is buying of another symbol has no position to stand in',
      given: held({}, order({ symbol: 'FPT', filled_qty: '0', order_status: 'QU' })),
    },
  ],
  breaks: [
    {
      when: 'a position says more than the orders',
      given: wrong,
      offenders: [
        {
          expected: 'buying 60, selling 0, bought 40, sold 0',
          actual: 'buying 60, selling 0, bought 100, sold 0',
          residual: '60.0000',
        },
      ],
    },
    {
      when: 'a bought symbol has no position',
      given: held({}, order({ symbol: 'FPT' })),
      offenders: [{ expected: 'buying 0, selling 0, bought 100, sold 0', residual: '100.0000' }],
    },
  ],
  flags: [
    {
      ...unlisted({ when: 'nobody listed the account', given: wrong }),
      offenders: [{ residual: '60.0000' }],
    },
  ],
  silent: [
    SHORT,
    NOBODY,
    {
      when: 'the snapshot with other positions is short',
      given: { ...wrong, 'account.snapshot': [snapshot({ state: 'partial', missing: 'orders: 2 of 3' })] },
      note: /the snapshot is short: orders: 2 of 3/,
    },
    {
      when: 'a buy works, and no position shows it',
      given: {
        ...SESSIONS,
        'account.snapshot': [snapshot()],
        'account.order_book': [order({ filled_qty: '0', order_status: 'QU' })],
      },
      note: /needs a complete snapshot with positions/,
    },
    {
      when: 'nothing is held',
      given: { 'account.snapshot': [snapshot()] },
      note: /needs a complete snapshot with positions/,
    },
  ],
} satisfies RuleCase
