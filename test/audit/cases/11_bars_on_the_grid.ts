import { bar, limit, minute, type RuleCase } from '../world.js'

const on = (exchange: string, ...bars: ReturnType<typeof minute>[]) => ({
  'market.price_limit': [limit({ exchange })],
  'market.candle': bars,
})

export default {
  rule: 11,
  holds: [
    {
      when: 'bars are those of docs/market-facts.md#minute-bars',
      given: on(
        'HOSE',
        bar(),
        minute('09:15'),
        minute('11:29'),
        minute('11:30'),
        minute('13:00'),
        minute('14:29'),
        minute('14:45'),
      ),
    },
    { when: 'HNX has post-close minutes', given: on('HNX', minute('09:00'), minute('14:55')) },
    { when: 'UPCOM trades until 15:00', given: on('UPCOM', minute('14:50'), minute('15:00')) },
    {
      when: 'hours hold minutes of the session',
      given: on('HOSE', minute('09:00', { timeframe: '1h' }), minute('11:00', { timeframe: '1h' })),
    },
    {
      when: 'a future opens at 08:45',
      given: {
        'market.candle': [minute('08:45', { symbol: '41I1F4000' }), minute('09:00', { symbol: '41I1F4000' })],
      },
    },
    {
      when: 'a live feed prints minutes within the auctions',
      given: {
        'market.price_limit': [limit({ exchange: 'HOSE' })],
        'market.candle': [
          ...['08:50', '08:52', '14:35'].map((time) => minute(time, { symbol: '41I1F4000' })),
          ...['09:07', '14:40'].map((time) => minute(time)),
        ],
      },
    },
  ],
  breaks: [
    {
      when: 'a bar opens at lunch',
      given: on('HOSE', minute('12:15')),
      offenders: [
        {
          key: { symbol: 'HPG', timeframe: '1m', opened_at: '2025-03-14T05:15:00Z' },
          expected: 'one bar on the grid of HOSE',
          actual: '12:15:00',
        },
      ],
    },
    {
      when: 'UTC was read as exchange time',
      given: on('HOSE', minute('02:15')),
      offenders: [{ actual: '02:15:00' }],
    },
    {
      when: 'a five-minute bar opens between',
      given: on('HOSE', minute('09:17', { timeframe: '5m' })),
      offenders: [{ actual: '09:17:00' }],
    },
    {
      when: 'a daily bar opens at nine',
      given: on('HOSE', minute('09:00', { timeframe: '1d' })),
      offenders: [{ actual: '09:00:00' }],
    },
    {
      when: 'a bar is there twice',
      given: on('HOSE', minute('09:15'), minute('09:15')),
      offenders: [{ actual: '2 bars' }],
    },
  ],
  flags: [
    {
      when: 'a minute is of the hours of another board',
      given: on('HOSE', minute('14:50')),
      offenders: [{ state: 'soft', actual: '14:50:00' }],
    },
    {
      when: 'a trade is printed late',
      given: on('HNX', minute('11:34')),
      offenders: [{ state: 'soft', actual: '11:34:00' }],
    },
    {
      when: 'a bar is of years whose hours were not measured',
      on: '2019-03-14',
      given: {
        'market.price_limit': [limit({ exchange: 'HOSE', trading_date: '2019-03-14' })],
        'market.candle': [
          minute('12:15', { trading_date: '2019-03-14', opened_at: '2019-03-14 12:15:00+07' }),
        ],
      },
      offenders: [{ state: 'soft', actual: '12:15:00' }],
    },
  ],
  silent: [{ when: 'no bar is held', given: {}, note: /needs a bar/ }],
} satisfies RuleCase
