import { bar, covered, day, minute, type RuleCase } from '../world.js'

const asked = (timeframe: string, state: string) => covered('ohlc', { key: 'HPG', timeframe, state })

export default {
  rule: 36,
  holds: [
    {
      when: 'both are there',
      given: {
        'market.daily_summary': [day()],
        'market.candle': [bar(), minute('09:15')],
        'ops.coverage': [asked('1d', 'complete'), asked('1m', 'complete')],
      },
    },
  ],
  breaks: [
    {
      when: 'the service says there are no minute bars',
      given: {
        'market.daily_summary': [day()],
        'market.candle': [bar()],
        'ops.coverage': [asked('1d', 'complete'), asked('1m', 'empty')],
      },
      offenders: [
        {
          relation: 'market.candle',
          key: { symbol: 'HPG', timeframe: '1m', trading_date: '2025-03-14' },
          expected: 'bars of 1000000 matched',
          actual: 'none, empty',
        },
      ],
    },
    {
      when: 'the daily bar is missing from an answer that was whole',
      given: {
        'market.daily_summary': [day()],
        'market.candle': [minute('09:15')],
        'ops.coverage': [asked('1d', 'complete'), asked('1m', 'complete')],
      },
      offenders: [
        { key: { symbol: 'HPG', timeframe: '1d', trading_date: '2025-03-14' }, actual: 'none, complete' },
      ],
    },
  ],
  silent: [
    {
      when: 'bars are still to be asked for',
      given: { 'market.daily_summary': [day()], 'ops.coverage': [asked('1d', 'incomplete')] },
      note: /whose 1d or 1m bars were requested/,
    },
    {
      when: 'nothing matched',
      given: { 'market.daily_summary': [day({ total_match: '0' })], 'ops.coverage': [asked('1d', 'empty')] },
      note: /needs daily summaries with matched volume/,
    },
  ],
} satisfies RuleCase
