import { covered, minute, type RuleCase } from '../world.js'

const whole = {
  'ops.coverage': [
    covered('ohlc', { key: 'HPG', timeframe: '1m' }),
    covered('ohlc', { key: 'HPG', timeframe: '5m', request_id: 'r-000002' }),
  ],
}
const minutes = [minute('09:15'), minute('09:19', { high: '27200', close: '27150' }), minute('09:20')]
const five = (time: string, over = {}) => minute(time, { timeframe: '5m', ...over })
const first = { high: '27200', close: '27150', volume: '2000', value: '54040000' }

export default {
  rule: 10,
  holds: [
    {
      when: 'fetched bars are what the minutes make',
      given: { ...whole, 'market.candle': [...minutes, five('09:15', first), five('09:20')] },
    },
  ],
  breaks: [
    {
      when: 'a fetched bar has another high',
      given: {
        ...whole,
        'market.candle': [...minutes, five('09:15', { ...first, high: '27250' }), five('09:20')],
      },
      offenders: [
        {
          key: { symbol: 'HPG', timeframe: '5m', opened_at: '2025-03-14T02:15:00Z' },
          expected: '27000 27200 26950 27150 volume 2000',
          actual: '27000 27250 26950 27150 volume 2000',
          residual: '0.0000',
        },
      ],
    },
    {
      when: 'a fetched bar is missing',
      given: { ...whole, 'market.candle': [...minutes, five('09:15', first)] },
      offenders: [{ expected: '27000 27100 26950 27050 volume 1000', actual: 'no bar' }],
    },
  ],
  silent: [
    {
      when: 'no longer timeframe was fetched',
      given: { 'market.candle': minutes },
      note: /needs 1m bars and a longer timeframe/,
    },
  ],
} satisfies RuleCase
