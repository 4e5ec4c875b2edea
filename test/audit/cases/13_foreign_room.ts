import { day, type RuleCase } from '../world.js'

export default {
  rule: 13,
  holds: [
    {
      when: 'all of the room remains, and none of another',
      given: {
        'market.daily_summary': [
          day({ remain_foreign_room: '1000000000' }),
          day({ symbol: 'VCB', remain_foreign_room: '-250000' }),
        ],
      },
    },
  ],
  breaks: [
    {
      when: 'more remains than there is',
      given: { 'market.daily_summary': [day({ remain_foreign_room: '1000000001' })] },
      offenders: [{ expected: 'at most 1000000000', actual: '1000000001', residual: '1.0000' }],
    },
  ],
  silent: [
    {
      when: 'the limit is zero or null',
      given: {
        'market.daily_summary': [
          day({ total_foreign_room: '0' }),
          day({ symbol: 'VCB', total_foreign_room: null }),
        ],
      },
      note: /needs a daily summary with both rooms/,
    },
  ],
} satisfies RuleCase
