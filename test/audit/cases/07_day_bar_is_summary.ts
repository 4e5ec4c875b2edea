import { bar, day, limit, type RuleCase } from '../world.js'

const onHnx = { 'market.price_limit': [limit({ exchange: 'HNX' })] }
const onHose = { 'market.price_limit': [limit()] }

export default {
  rule: 7,
  holds: [
    {
      when: 'bar and summary agree',
      given: { ...onHose, 'market.daily_summary': [day()], 'market.candle': [bar()] },
    },
  ],
  breaks: [
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
