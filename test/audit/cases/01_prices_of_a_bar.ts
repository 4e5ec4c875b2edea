import { bar, day, limit, minute, type RuleCase } from '../world.js'

/** Odd lots made open, high and low; the official close stayed. */
const oddLots = { open: '12100', high: '12100', low: '12100', close: '12000', total_match: '2' }

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
      when: 'the low is above the high: no odd lot explains that',
      given: {
        'market.price_limit': [limit({ exchange: 'UPCOM' })],
        'market.daily_summary': [day({ ...oddLots, high: '1' })],
      },
      offenders: [{ state: 'break', actual: 'low 12100, high 1' }],
    },
    {
      when: 'one lot was matched: the close of a day with a whole lot lies between low and high',
      given: {
        'market.price_limit': [limit({ exchange: 'HNX' })],
        'market.daily_summary': [day({ ...oddLots, total_match: '100' })],
      },
      offenders: [{ state: 'break', actual: 'low 12100, high 12100' }],
    },
    {
      when: 'the close of a future is above its high, of one contract: its lot is one',
      given: {
        'market.daily_summary': [
          day({
            symbol: '41I1F4000',
            open: '1350',
            high: '1350',
            low: '1350',
            close: '1351',
            total_match: '1',
          }),
        ],
      },
      offenders: [{ state: 'break' }],
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
  flags: [
    {
      when: 'less than one lot was matched: odd lots made the prices, and the official close stayed',
      given: {
        'market.price_limit': [limit()],
        'market.daily_summary': [day(oddLots)],
        'market.candle': [bar({ open: '12100', high: '12100', low: '12100', close: '12000', volume: '2' })],
      },
      offenders: [
        { state: 'soft', relation: 'market.candle' },
        {
          state: 'soft',
          relation: 'market.daily_summary',
          actual: 'low 12100, high 12100, odd lots: 2 matched',
        },
      ],
    },
    {
      when: 'the session is of before April 2024, which was not measured by board',
      on: '2024-03-14',
      given: { 'market.daily_summary': [day({ trading_date: '2024-03-14', close: '27150' })] },
      offenders: [{ state: 'soft', actual: 'low 26950, high 27100' }],
    },
  ],
  silent: [
    {
      when: 'one of the four prices is zero',
      given: {
        'market.daily_summary': ['open', 'high', 'low', 'close'].map((price) =>
          day({ symbol: price.toUpperCase(), [price]: '0' }),
        ),
      },
      note: /needs a daily summary or a bar/,
    },
    { when: 'nothing is held', given: {}, note: /needs a daily summary or a bar/ },
    {
      when: 'there was no trade, and the service writes zeros',
      given: { 'market.daily_summary': [day({ open: '0', high: '0', low: '0', total_match: '0' })] },
      note: /needs a daily summary or a bar/,
    },
  ],
} satisfies RuleCase
