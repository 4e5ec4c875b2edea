import { board, covered, day, index, limit, type Row, type RuleCase, security } from '../world.js'

const whole = covered('securitiesSummary')
const hnx = (over: Row = {}) => ({
  'market.daily_summary': [day({ symbol: 'SHS' }), day({ symbol: 'CEO', total_match: '500000' })],
  'market.price_limit': [
    limit({ symbol: 'SHS', exchange: 'HNX' }),
    limit({ symbol: 'CEO', exchange: 'HNX' }),
  ],
  'market.index_summary': [
    index({
      index_code: 'HNX-Index',
      total_match: '1500000',
      total_match_value: '54040000000',
      total_deal: '0',
      total_deal_value: '0',
      ...over,
    }),
  ],
})

export default {
  rule: 16,
  holds: [
    {
      when: 'the stocks and funds of HOSE are its index, whatever warrants and futures trade',
      given: { ...board(), 'ops.coverage': [whole] },
    },
    {
      when: 'HOSE is off by 0.02 %',
      given: {
        ...board(),
        'market.index_summary': [index({ total_match: '2000400' })],
        'ops.coverage': [whole],
      },
    },
    { when: 'HNX is spelled another way', given: { ...hnx(), 'ops.coverage': [whole] } },
    {
      when: 'the summaries were asked symbol by symbol',
      given: {
        ...hnx(),
        'market.security': [
          security({ symbol: 'SHS', board: 'HNX' }),
          security({ symbol: 'CEO', board: 'HNX' }),
        ],
        'ops.coverage': [
          covered('securitiesSummary', { key: 'SHS' }),
          covered('securitiesSummary', { key: 'CEO' }),
        ],
      },
    },
  ],
  breaks: [
    {
      when: 'HNX is off by one share',
      given: { ...hnx({ total_match: '1500001' }), 'ops.coverage': [whole] },
      offenders: [
        {
          relation: 'market.index_summary',
          key: { index_code: 'HNX-Index', trading_date: '2025-03-14' },
          expected: 'matched 1500000, value 54040000000, deals 0, value of deals 0',
          actual: 'matched 1500001, value 54040000000, deals 0, value of deals 0',
          residual: '1.0000',
        },
      ],
    },
  ],
  flags: [
    {
      when: 'only the put-through volume differs',
      given: { ...hnx({ total_deal: '700' }), 'ops.coverage': [whole] },
      offenders: [
        { state: 'soft', actual: 'matched 1500000, value 54040000000, deals 700, value of deals 0' },
      ],
    },
  ],
  silent: [
    {
      when: 'the summaries are short',
      given: { ...hnx(), 'ops.coverage': [{ ...whole, state: 'incomplete' }] },
      note: /complete daily summaries of its stocks/,
    },
    {
      when: 'one symbol was not asked for',
      given: {
        ...hnx(),
        'market.security': [
          security({ symbol: 'SHS', board: 'HNX' }),
          security({ symbol: 'CEO', board: 'HNX' }),
        ],
        'ops.coverage': [covered('securitiesSummary', { key: 'SHS' })],
      },
      note: /complete daily summaries of its stocks/,
    },
  ],
} satisfies RuleCase
