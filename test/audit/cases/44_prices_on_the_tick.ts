import { day, limit, type RuleCase, security } from '../world.js'

const listed = { 'market.security': [security()] }

export default {
  rule: 44,
  holds: [
    {
      when: 'all prices are orderable',
      given: { ...listed, 'market.price_limit': [limit()], 'market.daily_summary': [day()] },
    },
    {
      when: 'a future trades in tenths of a point',
      given: {
        'market.price_limit': [
          limit({
            symbol: '41I1F4000',
            exchange: 'HNX',
            ceiling: '1390.3',
            floor: '1209.7',
            ref_price: '1300',
          }),
        ],
      },
    },
  ],
  breaks: [],
  flags: [
    {
      when: 'a digit of the ceiling went wrong',
      given: { ...listed, 'market.price_limit': [limit({ ceiling: '28857' })] },
      offenders: [{ relation: 'market.price_limit', expected: 'on the tick of 50', actual: '28857' }],
    },
    {
      when: 'a close lies between two ticks',
      given: {
        ...listed,
        'market.price_limit': [limit()],
        'market.daily_summary': [day({ close: '27051' })],
      },
      offenders: [{ relation: 'market.daily_summary', actual: '27051' }],
    },
  ],
  silent: [{ when: 'nothing is held', given: listed, note: /needs price limits or traded prices/ }],
} satisfies RuleCase
