import {
  ACCOUNT,
  BEFORE,
  balance,
  former,
  NOBODY,
  order,
  SESSIONS,
  SHORT,
  snapshot,
  unlisted,
} from '../accounts.js'
import { type RuleCase, SESSION_BEFORE } from '../world.js'

const both = { ...SESSIONS, 'account.snapshot': [former(), snapshot()] }
const cash = (now: ReturnType<typeof balance>, before: ReturnType<typeof balance> = {}) => [
  balance({ snapshot_id: BEFORE, ...before }),
  balance(now),
]
const wrong = {
  ...both,
  'account.equity_balance': cash({ buy_t0: '2750000' }),
  'account.order_book': [order()],
}

export default {
  rule: 29,
  strict: [ACCOUNT],
  holds: [
    {
      when: 'a fee is charged apart',
      given: {
        ...both,
        'account.equity_balance': cash({ buy_t0: '2700000' }),
        'account.order_book': [order()],
      },
    },
    {
      when: 'a fee is within what is to be paid',
      given: {
        ...both,
        'account.equity_balance': cash({ buy_t0: '2704050' }),
        'account.order_book': [order()],
      },
    },
    {
      when: 'a sale is less its fee and tax',
      given: {
        ...both,
        'account.equity_balance': cash({ sell_t0: '2693250' }),
        'account.order_book': [order({ side: 'S' })],
      },
    },
    {
      when: 'money rolls on, and what is due has settled',
      given: {
        ...both,
        'account.equity_balance': cash(
          { buy_t1: '5', sell_t1: '7' },
          { buy_t0: '5', sell_t0: '7', buy_t1: '3' },
        ),
        'account.order_book': [order({ input_at: `${SESSION_BEFORE} 10:00:00+07` })],
      },
    },
  ],
  breaks: [
    {
      when: 'more is to be paid than was bought, with any fee',
      given: wrong,
      offenders: [{ expected: '2699999 to 2713501', actual: '2750000', residual: '50000.0000' }],
    },
    {
      when: 'one dong is to come, and nothing was sold',
      given: {
        ...both,
        'account.equity_balance': cash({ buy_t0: '2700000', sell_t0: '1' }),
        'account.order_book': [order()],
      },
      offenders: [{ expected: '0 to 0', actual: '1', residual: '1.0000' }],
    },
    {
      when: 'money did not roll on',
      given: { ...both, 'account.equity_balance': cash({ buy_t1: '4' }, { buy_t0: '5' }) },
      offenders: [
        { expected: 't1 5, t2 0 or 0 (1 after 2025-03-13)', actual: 't1 4, t2 0', residual: '-1.0000' },
      ],
    },
  ],
  flags: [
    {
      ...unlisted({ when: 'nobody listed the account', given: wrong }),
      offenders: [{ residual: '50000.0000' }],
    },
  ],
  silent: [
    SHORT,
    NOBODY,
    {
      when: 'there is no balance',
      given: { 'account.snapshot': [snapshot()] },
      note: /needs a complete snapshot/,
    },
    {
      when: 'unsettled money is not reported',
      given: {
        'account.snapshot': [snapshot()],
        'account.equity_balance': [balance({ buy_t0: null, sell_t0: null })],
      },
      note: /_t0 is not reported/,
    },
  ],
} satisfies RuleCase
