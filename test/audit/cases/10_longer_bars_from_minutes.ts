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
    {
      when: 'bars of every timeframe are',
      given: {
        'ops.coverage': ['1m', '3m', '5m', '15m', '30m', '1h'].map((timeframe, at) =>
          covered('ohlc', { key: 'HPG', timeframe, request_id: `r-00000${at + 1}` }),
        ),
        'market.candle': [
          ...minutes,
          minute('09:15', { timeframe: '3m' }),
          minute('09:18', { timeframe: '3m', high: '27200', volume: '2000', value: '54040000' }),
          five('09:15', first),
          five('09:20'),
          ...(['15m 09:15', '30m 09:00', '1h 09:00'] as const).map((bar) => {
            const [timeframe = '', time = ''] = bar.split(' ')
            return minute(time, { timeframe, high: '27200', volume: '3000', value: '81060000' })
          }),
        ],
      },
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
