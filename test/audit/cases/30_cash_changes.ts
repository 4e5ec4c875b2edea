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
import { limit, type RuleCase, SESSION, SESSION_BEFORE } from '../world.js'

const both = { ...SESSIONS, 'account.snapshot': [former(), snapshot()] }
const cash = (now: ReturnType<typeof balance>, before: ReturnType<typeof balance> = {}) => [
  balance({ snapshot_id: BEFORE, ...before }),
  balance(now),
]
const unexplained = { ...both, 'account.equity_balance': cash({ account_balance: '99000000' }) }
/** Eleven months, and 366 days, before the session. */
const OLD = { as_of: '2024-04-12', snapshot_id: 'old' }
const FORGOTTEN = { as_of: '2024-03-13', snapshot_id: 'forgotten' }
const saleOf = ({ as_of, snapshot_id }: typeof OLD) =>
  order({ snapshot_id, order_id: '9', side: 'S', symbol: 'FPT', input_at: `${as_of} 10:00:00+07` })
const days = ['2025-03-11', '2025-03-12', SESSION_BEFORE, SESSION]

export default {
  rule: 30,
  strict: [ACCOUNT],
  holds: [
    {
      when: 'yesterday’s t1 has settled on both sides',
      given: {
        ...both,
        'account.equity_balance': cash(
          { account_balance: '101000000' },
          { sell_t1: '3000000', buy_t1: '2000000' },
        ),
      },
    },
    {
      when: 'two sessions lie between, and t0 has settled too',
      given: {
        'market.price_limit': ['2025-03-12', SESSION_BEFORE, SESSION].map((trading_date) =>
          limit({ trading_date }),
        ),
        'account.snapshot': [former({ as_of: '2025-03-12' }), snapshot()],
        'account.equity_balance': cash(
          { account_balance: '105000000' },
          { sell_t0: '2000000', sell_t1: '3000000' },
        ),
      },
    },
    {
      when: 'a fee was charged at once, at the rate that a sale shows',
      given: {
        ...both,
        'account.order_book': [order(), order({ order_id: '2', side: 'S', symbol: 'FPT' })],
        'account.equity_balance': cash({
          account_balance: '99995950',
          buy_t0: '2700000',
          sell_t0: '2693250',
        }),
      },
    },
    {
      when: 'no sale has ever shown the rate: half a hundredth of what was bought may be a fee',
      given: {
        ...both,
        'account.order_book': [order()],
        'account.equity_balance': cash({ account_balance: '99986500', buy_t0: '2700000' }),
      },
    },
    {
      when: 'a fee was charged at the rate that a sale showed eleven months ago',
      given: {
        ...both,
        'account.snapshot': [...both['account.snapshot'], former(OLD)],
        'account.order_book': [order(), saleOf(OLD)],
        'account.equity_balance': [
          ...cash({ account_balance: '99995950', buy_t0: '2700000' }),
          balance({ snapshot_id: OLD.snapshot_id, sell_t0: '2693250' }),
        ],
      },
    },
    {
      when: 'a dividend was paid less its income tax of 5 %',
      given: {
        ...both,
        'account.equity_balance': cash({ account_balance: '104750000' }, { dividend: '5000000' }),
      },
    },
    {
      when: 'a dividend was paid, a loan drawn, interest paid',
      given: {
        ...both,
        'account.equity_balance': cash(
          { account_balance: '114900000', total_debt: '10000000' },
          { dividend: '5000000', total_debt: '100000', interest_loan: '100000' },
        ),
      },
    },
  ],
  breaks: [
    {
      when: 'money is gone',
      given: unexplained,
      offenders: [
        {
          relation: 'account.equity_balance',
          expected:
            '100000000 (100000000 on 2025-03-13, sells 0, buys 0, fees 0, dividends 0, loan 0, interest 0)',
          actual: '99000000',
          residual: '-1000000.0000',
        },
      ],
    },
    {
      when: 'more is gone than the known fee: the residual is what nothing explains',
      given: {
        ...both,
        'account.snapshot': [...both['account.snapshot'], former(OLD)],
        'account.order_book': [order(), saleOf(OLD)],
        'account.equity_balance': [
          ...cash({ account_balance: '99990950', buy_t0: '2700000' }),
          balance({ snapshot_id: OLD.snapshot_id, sell_t0: '2693250' }),
        ],
      },
      offenders: [{ residual: '-5000.0000' }],
    },
    {
      when: 'more is gone than any fee can be',
      given: {
        ...both,
        'account.order_book': [order()],
        'account.equity_balance': cash({ account_balance: '99980000', buy_t0: '2700000' }),
      },
      offenders: [
        {
          expected:
            '100000000 (100000000 on 2025-03-13, sells 0, buys 0, fees not known, at most 13500, dividends 0, loan 0, interest 0)',
          residual: '-6500.0000',
        },
      ],
    },
    {
      when: 'a rate was shown more than a year ago: it is not known any more',
      given: {
        ...both,
        'account.snapshot': [...both['account.snapshot'], former(FORGOTTEN)],
        'account.order_book': [order(), saleOf(FORGOTTEN)],
        'account.equity_balance': [
          ...cash({ account_balance: '99980000', buy_t0: '2700000' }),
          balance({ snapshot_id: FORGOTTEN.snapshot_id, sell_t0: '2693250' }),
        ],
      },
      offenders: [{ residual: '-6500.0000' }],
    },
    {
      when: 'a sale of yesterday is there too early',
      given: {
        ...both,
        'account.equity_balance': cash({ account_balance: '103000000' }, { sell_t0: '3000000' }),
      },
      offenders: [{ residual: '3000000.0000' }],
    },
  ],
  flags: [
    {
      ...unlisted({ when: 'nobody listed the account', given: unexplained }),
      offenders: [{ residual: '-1000000.0000' }],
    },
  ],
  silent: [
    SHORT,
    NOBODY,
    {
      when: 'there is no snapshot before',
      given: { ...SESSIONS, 'account.snapshot': [snapshot()], 'account.equity_balance': [balance()] },
      note: /there is no complete snapshot before it/,
    },
    {
      when: 'three sessions lie between',
      given: {
        'market.price_limit': days.map((trading_date) => limit({ trading_date })),
        'account.snapshot': [former({ as_of: '2025-03-11' }), snapshot()],
        'account.equity_balance': cash({}),
      },
      note: /3 sessions follow the snapshot of 2025-03-11: what settled in between is in neither/,
    },
    {
      when: 'sessions cannot be counted',
      given: { 'account.snapshot': [former(), snapshot()], 'account.equity_balance': cash({}) },
      note: /the sessions since the snapshot of 2025-03-13 are not stored/,
    },
    {
      when: 'the snapshot before was taken during its session, two sessions ago',
      given: {
        'market.price_limit': ['2025-03-12', SESSION_BEFORE, SESSION].map((trading_date) =>
          limit({ trading_date }),
        ),
        'account.snapshot': [
          former({ as_of: '2025-03-12', received_at: '2025-03-12 10:00:00+07' }),
          snapshot(),
        ],
        'account.equity_balance': cash({}),
      },
      note: /was taken before its session was over/,
    },
  ],
} satisfies RuleCase
