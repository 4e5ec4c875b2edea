import { roundedDay, roundedMarket } from '../rounded-market.js'
import { day, type RuleCase } from '../world.js'

export default {
  rule: 15,
  holds: [
    {
      when: 'all that was ordered matched',
      given: { 'market.daily_summary': [day({ total_buy: '1000000', total_sell: '1000000' })] },
    },
    {
      when: 'the deployment tells the number of orders as total_buy',
      given: {
        'market.daily_summary': [
          day({
            total_buy: '900',
            total_trade_buy: '1500000',
            total_sell: '950',
            total_trade_sell: '1400000',
          }),
        ],
      },
    },
    {
      when: 'the source rounds values, and computes volumes from them: half a step of each',
      given: {
        'market.daily_summary': [
          ...roundedMarket(),
          roundedDay({ symbol: 'ODD', low: '10000', total_match: '2000', total_buy: '1100' }),
        ],
      },
    },
  ],
  breaks: [
    {
      when: 'the source rounds values, and less was ordered than rounding explains',
      given: {
        'market.daily_summary': [
          ...roundedMarket(),
          roundedDay({ symbol: 'ODD', low: '10000', total_match: '2000', total_buy: '900' }),
        ],
      },
      offenders: [{ actual: 'buy 900, sell 1400000', residual: '-1100.0000' }],
    },
    {
      when: 'as many symbols have the same figures as have more orders than volume: columns mean what they say',
      given: {
        'market.daily_summary': [
          day({ total_buy: '900000', total_trade_buy: '1500000' }),
          day({ symbol: 'VCB', total_buy: '1500000', total_trade_buy: '1500000' }),
        ],
      },
      offenders: [{ actual: 'buy 900000, sell 1400000', residual: '-100000.0000' }],
    },
    {
      when: 'less was on sale than matched',
      given: { 'market.daily_summary': [day({ total_sell: '999900' })] },
      offenders: [
        { expected: 'at least 1000000', actual: 'buy 1500000, sell 999900', residual: '-100.0000' },
      ],
    },
  ],
  silent: [
    {
      when: 'one side is zero, or null',
      given: {
        'market.daily_summary': [day({ total_buy: '0' }), day({ symbol: 'VCB', total_sell: null })],
      },
      note: /both ordered volumes above zero/,
    },
    {
      when: 'nothing matched',
      given: { 'market.daily_summary': [day({ total_match: '0', total_buy: '0' })] },
      note: /needs a daily summary with matched volume/,
    },
  ],
} satisfies RuleCase
