import {
  ACCOUNT,
  BEFORE,
  contracts,
  FUTURES,
  former,
  NOBODY,
  order,
  position,
  SESSIONS,
  SHORT,
  snapshot,
  unlisted,
} from '../accounts.js'
import { day, limit, type RuleCase, SESSION_BEFORE } from '../world.js'

const both = { ...SESSIONS, 'account.snapshot': [former(), snapshot()] }
const lost = {
  ...both,
  'account.equity_position': [position({ snapshot_id: BEFORE }), position({ quantity: '1200' })],
  'account.order_book': [order()],
}

/** The reference price of the day shows one new share for ten. */
const exDate = {
  'account.snapshot': both['account.snapshot'],
  'market.daily_summary': [day({ trading_date: SESSION_BEFORE, close: '29700' })],
  'market.price_limit': [limit()],
}

export default {
  rule: 23,
  strict: [ACCOUNT, FUTURES],
  holds: [
    {
      when: 'what was bought was added',
      given: {
        ...both,
        'account.equity_position': [position({ snapshot_id: BEFORE }), position({ quantity: '1100' })],
        'account.order_book': [order()],
      },
    },
    {
      when: 'all of it was sold, and the position is gone from a complete snapshot',
      given: {
        ...both,
        'account.equity_position': [position({ snapshot_id: BEFORE, quantity: '100' })],
        'account.order_book': [order({ side: 'S' })],
      },
    },
    {
      when: 'a part of an order was counted in the snapshot before',
      given: {
        ...both,
        'account.equity_position': [
          position({ snapshot_id: BEFORE, quantity: '40' }),
          position({ quantity: '100' }),
        ],
        'account.order_book': [
          order({ snapshot_id: BEFORE, filled_qty: '40', input_at: `${SESSION_BEFORE} 14:00:00+07` }),
          order({ input_at: `${SESSION_BEFORE} 14:00:00+07` }),
        ],
      },
    },
    {
      when: 'shares of a dividend have come',
      given: {
        ...both,
        'account.equity_position': [
          position({ snapshot_id: BEFORE, dividend_quantity: '100' }),
          position({ quantity: '1100' }),
        ],
      },
    },
    {
      when: 'new shares of an ex-date were added at once',
      given: {
        ...exDate,
        'account.equity_position': [position({ snapshot_id: BEFORE }), position({ quantity: '1100' })],
      },
    },
    {
      when: 'new shares of an ex-date differ by half a percent of the position and one share',
      given: {
        ...exDate,
        'account.equity_position': [position({ snapshot_id: BEFORE }), position({ quantity: '1106' })],
      },
    },
    {
      when: 'contracts ended with their last session',
      given: {
        'account.snapshot': [former({ account_no: FUTURES }), snapshot({ account_no: FUTURES })],
        'market.security': [{ symbol: 'VN30F2503', last_trading_date: '2025-03-13', is_listed: false }],
        'account.derivative_position_summary': [contracts({ snapshot_id: BEFORE })],
      },
    },
    {
      when: 'contracts without a listed last date ended by the rulebook',
      given: {
        'account.snapshot': [former({ account_no: FUTURES }), snapshot({ account_no: FUTURES })],
        'account.derivative_position_summary': [contracts({ snapshot_id: BEFORE, symbol: 'VN30F2502' })],
      },
    },
    {
      when: 'a covered warrant ended and is gone',
      given: {
        ...both,
        'market.security': [{ symbol: 'CHPG2401', last_trading_date: '2025-03-13', is_listed: false }],
        'account.equity_position': [position({ snapshot_id: BEFORE, symbol: 'CHPG2401' })],
      },
    },
    {
      when: 'a covered warrant ended and waits for its payment',
      given: {
        ...both,
        'market.security': [{ symbol: 'CHPG2401', last_trading_date: '2025-03-13', is_listed: false }],
        'account.equity_position': [
          position({ snapshot_id: BEFORE, symbol: 'CHPG2401' }),
          position({ symbol: 'CHPG2401' }),
        ],
      },
    },
  ],
  breaks: [
    {
      when: 'more shares came than were bought',
      given: lost,
      offenders: [
        {
          relation: 'account.equity_position',
          key: { account_no: ACCOUNT, symbol: 'HPG' },
          expected: '1100 (1000 on 2025-03-13, bought 100, sold 0)',
          actual: '1200',
          residual: '100.0000',
        },
      ],
    },
    {
      when: 'one share more came than an ex-date explains',
      given: {
        ...exDate,
        'account.equity_position': [position({ snapshot_id: BEFORE }), position({ quantity: '1107' })],
      },
      offenders: [{ residual: '107.0000' }],
    },
    {
      when: 'contracts are gone that nobody sold',
      given: {
        'account.snapshot': [former({ account_no: FUTURES }), snapshot({ account_no: FUTURES })],
        'account.derivative_position_summary': [contracts({ snapshot_id: BEFORE })],
      },
      offenders: [{ relation: 'account.derivative_position_summary', residual: '-2.0000' }],
    },
    {
      when: 'a covered warrant is gone before its last day',
      given: {
        ...both,
        'market.security': [{ symbol: 'CHPG2401', last_trading_date: '2025-03-17' }],
        'account.equity_position': [position({ snapshot_id: BEFORE, symbol: 'CHPG2401' })],
      },
      offenders: [{ relation: 'account.equity_position', residual: '-1000.0000' }],
    },
    {
      when: 'the snapshot between is short, and is not taken for an empty one',
      given: {
        ...lost,
        'account.snapshot': [
          former(),
          snapshot(),
          former({ snapshot_id: '20250313T120000000Z-0009', state: 'partial' }),
        ],
      },
      offenders: [{ residual: '100.0000' }],
    },
  ],
  flags: [
    {
      ...unlisted({ when: 'nobody listed the account', given: lost }),
      offenders: [{ residual: '100.0000' }],
    },
  ],
  silent: [
    SHORT,
    NOBODY,
    {
      when: 'there is no snapshot before',
      given: { 'account.snapshot': [snapshot()], 'account.equity_position': [position()] },
      note: /there is no complete snapshot before it/,
    },
    {
      when: 'the one before was short',
      given: {
        'account.snapshot': [former({ state: 'partial' }), snapshot()],
        'account.equity_position': [position()],
      },
      note: /there is no complete snapshot before it/,
    },
  ],
} satisfies RuleCase
