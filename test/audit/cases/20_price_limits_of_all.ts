import { covered, limit, type RuleCase, security } from '../world.js'

const whole = { 'ops.coverage': [covered('masterdata')] }

export default {
  rule: 20,
  holds: [
    {
      when: 'all that is listed has limits; what left, is to come, or has expired has none',
      given: {
        'market.security': [
          security(),
          security({ symbol: 'OLD', is_listed: false, last_seen: '2025-03-13' }),
          security({ symbol: 'NEW', first_trading_date: '2025-03-17' }),
          security({ symbol: 'CHPG2401', last_trading_date: '2025-03-13' }),
          security({ symbol: 'SEEN', first_trading_date: null, first_seen: '2025-03-17' }),
        ],
        'market.price_limit': [limit()],
        ...whole,
      },
    },
    {
      when: 'a future is priced as a board of its own',
      given: {
        'market.security': [security({ symbol: 'VN30F2504', board: 'HNX' })],
        'market.price_limit': [limit({ symbol: 'VN30F2504', exchange: 'HNX' })],
        ...whole,
      },
    },
  ],
  breaks: [
    {
      when: 'a listed symbol has none',
      given: {
        'market.security': [security(), security({ symbol: 'VCB' })],
        'market.price_limit': [limit()],
        ...whole,
      },
      offenders: [
        {
          relation: 'market.price_limit',
          key: { symbol: 'VCB', trading_date: '2025-03-14' },
          expected: 'one, on HOSE',
          actual: 'none',
          residual: '-1.0000',
        },
      ],
    },
  ],
  flags: [
    {
      when: 'a symbol was priced on another board than the list says today',
      given: {
        'market.security': [security()],
        'market.price_limit': [limit({ exchange: 'HNX' })],
        ...whole,
      },
      offenders: [{ expected: 'one, on HOSE', actual: 'one, on HNX' }],
    },
  ],
  silent: [
    {
      when: 'the price limits are short',
      given: {
        'market.security': [security(), security({ symbol: 'VCB' })],
        'market.price_limit': [limit()],
        'ops.coverage': [covered('masterdata', { state: 'incomplete' })],
      },
      note: /needs complete price limits/,
    },
  ],
} satisfies RuleCase
