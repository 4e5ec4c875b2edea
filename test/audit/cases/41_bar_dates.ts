import { bar, minute, type RuleCase } from '../world.js'

export default {
  rule: 41,
  holds: [
    {
      when: 'bars opened on their date in exchange time',
      given: { 'market.candle': [bar(), minute('00:00'), minute('23:59')] },
    },
  ],
  breaks: [
    {
      when: 'the first minute bar opened at a time that was read as UTC',
      given: { 'market.candle': [minute('09:15', { opened_at: '2025-03-14 19:15:00+00' })] },
      offenders: [
        {
          relation: 'market.candle',
          key: { symbol: 'HPG', timeframe: '1m', opened_at: '2025-03-14T19:15:00Z' },
          expected: '2025-03-14',
          actual: '2025-03-15 02:15:00',
        },
      ],
    },
    {
      when: 'a daily bar opened at midnight UTC',
      given: { 'market.candle': [bar({ opened_at: '2025-03-14 00:00:00+00' })] },
      offenders: [{ expected: '2025-03-14 00:00:00', actual: '2025-03-14 07:00:00' }],
    },
  ],
  silent: [{ when: 'there are no bars', given: {}, note: /needs a bar/ }],
} satisfies RuleCase
