import { bar, covered, minute, type RuleCase } from '../world.js'

const whole = { 'ops.coverage': [covered('ohlc', { key: 'HPG', timeframe: '1m' })] }
const minutes = (over = {}) => [
  minute('09:15', {
    open: '27000',
    high: '27100',
    low: '26950',
    close: '27060',
    volume: '600000',
    value: '16212000000',
    ...over,
  }),
  minute('14:45', {
    open: '27060',
    high: '27060',
    low: '27050',
    close: '27050',
    volume: '400000',
    value: '10808000000',
  }),
]

export default {
  rule: 9,
  holds: [{ when: 'the minutes add up', given: { ...whole, 'market.candle': [bar(), ...minutes()] } }],
  breaks: [
    {
      when: 'a minute is missing',
      given: { ...whole, 'market.candle': [bar(), ...minutes().slice(0, 1)] },
      offenders: [{ expected: 'volume 1000000', actual: 'volume 600000', residual: '-400000.0000' }],
    },
    {
      when: 'one price is off',
      given: { ...whole, 'market.candle': [bar(), ...minutes({ high: '27200' })] },
      offenders: [{ expected: '27000 27100 26950 27050', actual: '27000 27200 26950 27050' }],
    },
  ],
  flags: [
    {
      when: 'all prices are off by one ratio: another adjustment vintage',
      given: {
        ...whole,
        'market.candle': [bar({ open: '54000', high: '54200', low: '53900', close: '54100' }), ...minutes()],
      },
      offenders: [{ state: 'soft' }],
    },
    {
      when: 'the value is another',
      given: { ...whole, 'market.candle': [bar(), ...minutes({ value: '18212000000' })] },
      offenders: [{ expected: 'value 27020000000', actual: 'value 29020000000' }],
    },
  ],
  silent: [
    {
      when: 'the minutes were not answered whole',
      given: { 'market.candle': [bar(), ...minutes()] },
      note: /needs a 1d bar, and 1m bars/,
    },
  ],
} satisfies RuleCase
