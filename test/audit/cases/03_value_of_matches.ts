import { roundedDay, roundedMarket } from '../rounded-market.js'
import { day, type RuleCase, security } from '../world.js'

export default {
  rule: 3,
  holds: [
    { when: 'the value is average times volume', given: { 'market.daily_summary': [day()] } },
    {
      when: 'the average was cut to whole VND',
      given: { 'market.daily_summary': [day({ total_match_value: '27020900000' })] },
    },
    {
      when: 'a future trades 100,000 VND a point',
      given: {
        'market.security': [security({ symbol: '41I1F4000', board: 'HNX' })],
        'market.daily_summary': [
          day({
            symbol: '41I1F4000',
            average: '1300.5',
            total_match: '200',
            total_match_value: '26010000000',
          }),
        ],
      },
    },
    {
      when: 'the source rounds values to 0.01 billion VND',
      given: { 'market.daily_summary': roundedMarket() },
    },
  ],
  breaks: [
    {
      when: 'one value beside sixty that a source rounds is in thousands',
      given: {
        'market.daily_summary': [...roundedMarket(60), roundedDay({ total_match_value: '27020000' })],
      },
      offenders: [{ actual: '27020000' }],
    },
    {
      when: 'the value is a thousand times too large',
      given: { 'market.daily_summary': [day({ total_match_value: '27020000000000' })] },
      offenders: [{ expected: '27020000000', actual: '27020000000000', residual: '26992980000000.0000' }],
    },
    {
      when: 'volume and value are swapped',
      given: { 'market.daily_summary': [day({ total_match: '27020000000', total_match_value: '1000000' })] },
      offenders: [{ actual: '1000000' }],
    },
  ],
  silent: [
    {
      when: 'nothing was matched',
      given: { 'market.daily_summary': [day({ total_match: '0', total_match_value: '0' })] },
      note: /needs a daily summary with matched volume/,
    },
  ],
} satisfies RuleCase
