import { bar, day, index, limit, minute, type RuleCase } from '../world.js'

export default {
  rule: 37,
  holds: [
    {
      when: 'changes and the remaining room are negative, and nothing traded',
      given: {
        'market.daily_summary': [
          day({ price_change: '-50', price_change_percentage: '-0.19', remain_foreign_room: '-1' }),
          day({ symbol: 'VCB', open: '0', high: '0', low: '0', total_match: '0', total_deal: null }),
        ],
        'market.candle': [bar(), minute('09:15')],
        'market.price_limit': [limit()],
        'market.index_summary': [index({ index_change: '-4.2' })],
      },
    },
  ],
  breaks: [
    {
      when: 'a volume is negative, though others are null',
      given: { 'market.daily_summary': [day({ total_deal: '-5', total_buy: null })] },
      offenders: [
        {
          relation: 'market.daily_summary',
          key: { symbol: 'HPG', trading_date: '2025-03-14' },
          expected: 'none below 0',
          actual: 'quantity -5',
          residual: '-5.0000',
        },
      ],
    },
    {
      when: 'a bar traded at zero',
      given: { 'market.candle': [minute('09:15', { low: '0' })] },
      offenders: [
        {
          relation: 'market.candle',
          key: { symbol: 'HPG', timeframe: '1m', opened_at: '2025-03-14T02:15:00Z' },
          expected: 'prices above 0',
          actual: 'price 0',
        },
      ],
    },
    {
      when: 'one share was matched at zero',
      given: { 'market.daily_summary': [day({ total_match: '1', low: '0' })] },
      offenders: [{ expected: 'prices above 0', actual: 'price 0' }],
    },
    {
      when: 'a limit and an index are negative',
      given: {
        'market.price_limit': [limit({ floor: '-100' })],
        'market.index_summary': [index({ index_value: '-1' })],
      },
      offenders: [
        { relation: 'market.index_summary', actual: 'price -1' },
        { relation: 'market.price_limit', actual: 'price -100' },
      ],
    },
  ],
  silent: [{ when: 'nothing is held', given: {}, note: /needs any row/ }],
} satisfies RuleCase
