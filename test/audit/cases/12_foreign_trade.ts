import { roundedDay, roundedMarket } from '../rounded-market.js'
import { day, type RuleCase } from '../world.js'

export default {
  rule: 12,
  holds: [
    {
      when: 'foreigners bought all that was matched and put through',
      given: { 'market.daily_summary': [day({ total_deal: '500', total_foreign_buy: '1000500' })] },
    },
    {
      when: 'the source rounds values, and computes volumes from them: half a step of each',
      given: {
        'market.daily_summary': [
          ...roundedMarket(),
          roundedDay({
            symbol: 'ODD',
            low: '10000',
            total_match: '1000',
            total_foreign_buy: '2400',
            total_foreign_sell: '0',
          }),
        ],
      },
    },
  ],
  breaks: [
    {
      when: 'foreigners sold more than was traded',
      given: { 'market.daily_summary': [day({ total_deal: '500', total_foreign_sell: '1000600' })] },
      offenders: [
        {
          relation: 'market.daily_summary',
          key: { symbol: 'HPG', trading_date: '2025-03-14' },
          expected: 'at most 1000500',
          actual: 'bought 100000, sold 1000600',
          residual: '100.0000',
        },
      ],
    },
    {
      when: 'the source rounds values, and foreigners bought more than rounding explains',
      given: {
        'market.daily_summary': [
          ...roundedMarket(),
          roundedDay({
            symbol: 'ODD',
            low: '10000',
            total_match: '1000',
            total_foreign_buy: '2600',
            total_foreign_sell: '0',
          }),
        ],
      },
      offenders: [{ key: { symbol: 'ODD', trading_date: '2025-03-14' }, residual: '1600.0000' }],
    },
  ],
  silent: [
    {
      when: 'foreign volumes are null',
      given: { 'market.daily_summary': [day({ total_foreign_buy: null, total_foreign_sell: null })] },
      note: /needs a daily summary with matched, put-through and foreign/,
    },
  ],
} satisfies RuleCase
