import { day, limit, type RuleCase } from '../world.js'

export default {
  rule: 2,
  holds: [
    {
      when: 'prices touch both limits',
      given: {
        'market.daily_summary': [day({ low: '25150', high: '28850' })],
        'market.price_limit': [limit()],
      },
    },
  ],
  breaks: [
    {
      when: 'the high is above the ceiling',
      given: { 'market.daily_summary': [day({ high: '28900' })], 'market.price_limit': [limit()] },
      offenders: [
        {
          relation: 'market.daily_summary',
          expected: '25150 to 28850',
          actual: '26950 to 28900',
          residual: '50.0000',
        },
      ],
    },
  ],
  silent: [
    {
      when: 'there are no price limits',
      given: { 'market.daily_summary': [day()] },
      note: /needs a daily summary with matched volume/,
    },
    {
      when: 'nothing was matched',
      given: { 'market.daily_summary': [day({ total_match: '0' })], 'market.price_limit': [limit()] },
      note: /needs a daily summary with matched volume/,
    },
  ],
} satisfies RuleCase
