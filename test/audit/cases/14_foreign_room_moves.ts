import { day, type RuleCase, SESSION_BEFORE } from '../world.js'

const before = day({ trading_date: SESSION_BEFORE, remain_foreign_room: '500050000' })

export default {
  rule: 14,
  holds: [
    {
      when: 'the room shrank by what foreigners bought less what they sold',
      given: { 'market.daily_summary': [before, day()] },
    },
  ],
  breaks: [],
  flags: [
    {
      when: 'the room moved otherwise',
      given: { 'market.daily_summary': [before, day({ remain_foreign_room: '500000900' })] },
      offenders: [{ expected: '500000000', actual: '500000900', residual: '900.0000' }],
    },
    {
      when: 'volumes are beyond what 64 bits add up',
      given: {
        'market.daily_summary': [
          day({ trading_date: SESSION_BEFORE, remain_foreign_room: '9223372036854775807' }),
          day({ total_foreign_sell: '9223372036854775807' }),
        ],
      },
      offenders: [{ actual: '500000000' }],
    },
  ],
  silent: [
    {
      when: 'the symbol has no summary of the session before',
      given: {
        'market.daily_summary': [
          day({ trading_date: '2025-03-12' }),
          day({ symbol: 'VCB', trading_date: SESSION_BEFORE }),
          day(),
        ],
      },
      note: /room of the session before/,
    },
  ],
} satisfies RuleCase
