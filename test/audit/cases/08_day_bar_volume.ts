import { bar, day, limit, type RuleCase } from '../world.js'

const on = (exchange: string) => ({
  'market.price_limit': [limit({ exchange })],
  'market.daily_summary': [day()],
})

export default {
  rule: 8,
  holds: [
    { when: 'volumes are equal on HOSE', given: { ...on('HOSE'), 'market.candle': [bar()] } },
    {
      when: 'the bar counts more on HNX',
      given: { ...on('HNX'), 'market.candle': [bar({ volume: '1000300' })] },
    },
  ],
  breaks: [
    {
      when: 'a digit is wrong on HOSE',
      given: { ...on('HOSE'), 'market.candle': [bar({ volume: '1000001' })] },
      offenders: [{ relation: 'market.candle', expected: '1000000', actual: '1000001', residual: '1.0000' }],
    },
    {
      when: 'the bar counts less on UPCOM',
      given: { ...on('UPCOM'), 'market.candle': [bar({ volume: '999900' })] },
      offenders: [{ expected: 'at least 1000000', actual: '999900' }],
    },
  ],
  flags: [
    {
      when: 'a future differs',
      given: {
        'market.daily_summary': [day({ symbol: '41I1F4000', total_match: '200' })],
        'market.candle': [bar({ symbol: '41I1F4000', volume: '201' })],
      },
      offenders: [{ state: 'soft' }],
    },
  ],
  silent: [{ when: 'there is no 1d bar', given: on('HOSE'), note: /needs a daily summary/ }],
} satisfies RuleCase
