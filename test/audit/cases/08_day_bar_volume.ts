import { bar, covered, day, limit, minute, type RuleCase } from '../world.js'

const on = (exchange: string) => ({
  'market.price_limit': [limit({ exchange })],
  'market.daily_summary': [day()],
})

const minutes = (volume: string) => ({
  'ops.coverage': [covered('ohlc', { key: 'HPG', timeframe: '1m' })],
  'market.candle': [minute('09:15', { volume: '600000' }), minute('14:45', { volume })],
})

export default {
  rule: 8,
  holds: [
    { when: 'volumes are equal on HOSE', given: { ...on('HOSE'), 'market.candle': [bar()] } },
    {
      when: 'the bar counts more on HNX',
      given: { ...on('HNX'), 'market.candle': [bar({ volume: '1000300' })] },
    },
    { when: 'minutes add up to it on HOSE', given: { ...on('HOSE'), ...minutes('400000') } },
    {
      when: 'there is a 1d bar: minutes are compared with that one',
      given: {
        ...on('HOSE'),
        ...minutes('1'),
        'market.candle': [bar(), ...minutes('1')['market.candle']],
      },
    },
  ],
  breaks: [
    {
      when: 'minutes are off by more than a hundredth',
      given: { ...on('HOSE'), ...minutes('410001') },
      offenders: [
        {
          relation: 'market.candle',
          expected: '1000000',
          actual: '1010001',
          residual: '10001.0000',
          key: { symbol: 'HPG', timeframe: '1m', opened_at: '2025-03-14T02:15:00Z' },
        },
      ],
    },
    {
      when: 'a digit is wrong on HOSE',
      given: { ...on('HOSE'), 'market.candle': [bar({ volume: '1000001' })] },
      offenders: [{ relation: 'market.candle', expected: '1000000', actual: '1000001', residual: '1.0000' }],
    },
    {
      when: 'a digit too many in the summary: its own value contradicts it, so it goes together with the bar',
      given: {
        'market.price_limit': [limit()],
        'market.daily_summary': [day({ total_match: '10000000' })],
        'market.candle': [bar()],
      },
      offenders: [
        { relation: 'market.candle', expected: '10000000', actual: '1000000' },
        { relation: 'market.daily_summary', actual: '10000000', residual: '9000000.0000' },
      ],
    },
    {
      when: 'the bar counts less on UPCOM',
      given: { ...on('UPCOM'), 'market.candle': [bar({ volume: '999900' })] },
      offenders: [{ expected: 'at least 1000000', actual: '999900' }],
    },
  ],
  flags: [
    {
      when: 'minutes are off by a hundredth or less: no rate was measured for them',
      given: { ...on('HOSE'), ...minutes('410000') },
      offenders: [{ state: 'soft', expected: '1000000', actual: '1010000' }],
    },
    {
      when: 'minutes have a little less on UPCOM',
      given: { ...on('UPCOM'), ...minutes('399900') },
      offenders: [{ state: 'soft', expected: 'at least 1000000', actual: '999900' }],
    },
    {
      when: 'a future differs',
      given: {
        'market.daily_summary': [day({ symbol: '41I1F4000', total_match: '200' })],
        'market.candle': [bar({ symbol: '41I1F4000', volume: '201' })],
      },
      offenders: [{ state: 'soft' }],
    },
  ],
  silent: [
    { when: 'there is no bar', given: on('HOSE'), note: /needs a daily summary/ },
    {
      when: 'minutes are not all there',
      given: {
        ...on('HOSE'),
        ...minutes('1'),
        'ops.coverage': [covered('ohlc', { key: 'HPG', timeframe: '1m', state: 'incomplete' })],
      },
      note: /needs a daily summary/,
    },
  ],
} satisfies RuleCase
