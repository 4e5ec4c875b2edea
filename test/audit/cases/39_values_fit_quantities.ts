import { rounded, roundedDay, roundedMarket } from '../rounded-market.js'
import { bar, day, limit, minute, type RuleCase } from '../world.js'

const limits = { 'market.price_limit': [limit()] }

export default {
  rule: 39,
  holds: [
    {
      when: 'summary and bars are consistent',
      given: { 'market.daily_summary': [day()], 'market.candle': [bar(), minute('09:15')], ...limits },
    },
    {
      when: 'a future is worth 100,000 VND a point',
      given: {
        'market.daily_summary': [
          day({
            symbol: 'VN30F2504',
            low: '1350',
            high: '1360',
            total_match: '1000',
            total_match_value: '135500000000',
            total_foreign_buy: '0',
            total_foreign_sell: '0',
          }),
        ],
        'market.candle': [
          bar({ symbol: 'VN30F2504', low: '1350', high: '1360', volume: '1000', value: '135500000000' }),
        ],
      },
    },
    {
      when: 'a bar is off by the rounding of its value',
      given: { 'market.candle': [minute('09:15', { low: '27020', high: '27020', value: '27020900' })] },
    },
    {
      when: 'the source rounds values to 0.01 billion VND, of small names by much',
      given: {
        'market.daily_summary': roundedMarket(),
        'market.price_limit': roundedMarket().map(({ symbol = null }) =>
          limit({ symbol, ceiling: '15000', floor: '8000' }),
        ),
      },
    },
    {
      when: 'the source rounds values of bars too',
      given: {
        'market.candle': Array.from({ length: 30 }, (_, at) =>
          bar({ symbol: `R${at}`, volume: 501 + 137 * at, value: rounded(27_000 * (501 + 137 * at)) }),
        ),
      },
    },
  ],
  breaks: [
    {
      when: 'the matched value is in thousands',
      given: { 'market.daily_summary': [day({ total_match_value: '27020000' })], ...limits },
      offenders: [
        {
          relation: 'market.daily_summary',
          expected: 'matched 26950 to 27100, others 25150 to 28850',
          actual: 'matched 27.02, foreign buying 27020, foreign selling 27020',
          residual: '-26922.9800',
        },
      ],
    },
    {
      when: 'foreigners paid more than the ceiling',
      given: { 'market.daily_summary': [day({ total_foreign_buy_value: '3000000000' })], ...limits },
      offenders: [
        { actual: 'matched 27020, foreign buying 30000, foreign selling 27020', residual: '1150.0000' },
      ],
    },
    {
      when: 'the value of a bar is below its low',
      given: { 'market.candle': [minute('09:15', { value: '2702000' })] },
      offenders: [
        {
          relation: 'market.candle',
          key: { symbol: 'HPG', timeframe: '1m', opened_at: '2025-03-14T02:15:00Z' },
          expected: '26950 to 27100',
          actual: '2702',
          residual: '-24248.0000',
        },
      ],
    },
    {
      when: 'a value of a source that rounds is off by more than half of its step',
      given: {
        'market.daily_summary': [
          ...roundedMarket(),
          roundedDay({
            symbol: 'BIG',
            total_match_value: rounded(28_000_000_000),
            total_foreign_buy: '0',
            total_foreign_sell: '0',
          }),
        ],
      },
      offenders: [{ key: { symbol: 'BIG', trading_date: '2025-03-14' }, actual: 'matched 28000' }],
    },
  ],
  flags: [
    {
      when: 'a block was dealt below the floor',
      given: {
        'market.daily_summary': [day({ total_deal: '100000', total_deal_value: '2000000000' })],
        ...limits,
      },
      offenders: [{ actual: 'matched 27020, foreign buying 27020, foreign selling 27020, deals 20000' }],
    },
  ],
  silent: [
    {
      when: 'values are missing',
      given: {
        'market.daily_summary': [
          day({ total_match_value: '0', total_foreign_buy: '0', total_foreign_sell: null }),
        ],
        'market.candle': [minute('09:15', { value: null }), minute('09:16', { value: '-5' })],
        ...limits,
      },
      note: /with a value, its quantity/,
    },
  ],
} satisfies RuleCase
