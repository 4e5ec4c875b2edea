import { bar, day, minute, type RuleCase } from '../world.js'

export default {
  rule: 1,
  holds: [
    {
      when: 'summaries and bars are in order',
      given: { 'market.daily_summary': [day()], 'market.candle': [bar(), minute('09:15')] },
    },
    {
      when: 'all prices of a bar are one',
      given: {
        'market.daily_summary': [day({ open: '27000', high: '27000', low: '27000', close: '27000' })],
      },
    },
  ],
  breaks: [
    {
      when: 'the close of a summary is above its high',
      given: { 'market.daily_summary': [day({ close: '27150' })] },
      offenders: [
        {
          relation: 'market.daily_summary',
          key: { symbol: 'HPG', trading_date: '2025-03-14' },
          expected: 'low 26950, high 27150',
          actual: 'low 26950, high 27100',
          residual: '50.0000',
        },
      ],
    },
    {
      when: 'the low of a minute bar is above its open',
      given: { 'market.candle': [minute('09:15', { low: '27010' })] },
      offenders: [
        {
          relation: 'market.candle',
          key: { symbol: 'HPG', timeframe: '1m', opened_at: '2025-03-14T02:15:00Z' },
          residual: '10.0000',
        },
      ],
    },
  ],
  silent: [
    { when: 'nothing is held', given: {}, note: /needs a daily summary or a bar/ },
    {
      when: 'there was no trade, and the service writes zeros',
      given: { 'market.daily_summary': [day({ open: '0', high: '0', low: '0', total_match: '0' })] },
      note: /needs a daily summary or a bar/,
    },
  ],
} satisfies RuleCase
