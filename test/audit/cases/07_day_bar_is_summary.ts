import { bar, covered, day, limit, minute, type RuleCase } from '../world.js'

const onHnx = { 'market.price_limit': [limit({ exchange: 'HNX' })] }
const onHose = { 'market.price_limit': [limit()] }

const minutes = (factor: number, high = 27100) => ({
  'ops.coverage': [covered('ohlc', { key: 'HPG', timeframe: '1m' })],
  'market.candle': [
    minute('09:15', {
      open: `${27010 * factor}`,
      high: `${high * factor}`,
      low: `${26950 * factor}`,
      close: `${27050 * factor}`,
    }),
  ],
})

export default {
  rule: 7,
  holds: [
    {
      when: 'bar and summary agree',
      given: { ...onHose, 'market.daily_summary': [day()], 'market.candle': [bar()] },
    },
    {
      when: 'minutes have its high, low and close',
      given: { ...onHose, 'market.daily_summary': [day()], ...minutes(1) },
    },
  ],
  breaks: [
    {
      when: 'minutes have another high',
      given: { ...onHose, 'market.daily_summary': [day()], ...minutes(1, 27200) },
      offenders: [{ expected: '27000 27100 26950 27050', actual: '27010 27200 26950 27050' }],
    },
    {
      when: 'the close differs',
      given: { ...onHose, 'market.daily_summary': [day()], 'market.candle': [bar({ close: '27060' })] },
      offenders: [
        { expected: '27000 27100 26950 27050', actual: '27000 27100 26950 27060', residual: '10.0000' },
      ],
    },
    {
      when: 'the open differs on HOSE',
      given: { ...onHose, 'market.daily_summary': [day()], 'market.candle': [bar({ open: '27010' })] },
      offenders: [{ actual: '27010 27100 26950 27050' }],
    },
  ],
  flags: [
    {
      when: 'minutes are of another adjustment vintage',
      given: { ...onHose, 'market.daily_summary': [day()], ...minutes(0.5) },
      offenders: [{ state: 'soft' }],
    },
    {
      when: 'only the open differs on HNX',
      given: { ...onHnx, 'market.daily_summary': [day()], 'market.candle': [bar({ open: '27100' })] },
      offenders: [{ state: 'soft' }],
    },
  ],
  silent: [
    {
      when: 'there is no 1d bar',
      given: { ...onHose, 'market.daily_summary': [day()] },
      note: /needs a daily summary/,
    },
  ],
} satisfies RuleCase
