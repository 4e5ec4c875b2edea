import { ACCOUNT, NOBODY, NOW, position, SHORT, snapshot, unlisted } from '../accounts.js'
import { day, type RuleCase, SESSION_BEFORE } from '../world.js'

const valued = (lmv: string) => ({
  'account.snapshot': [snapshot()],
  'market.daily_summary': [day()],
  'account.equity_position': [position()],
  'account.equity_margin': [{ snapshot_id: NOW, account_no: ACCOUNT, lmv }],
})

export default {
  rule: 32,
  strict: [ACCOUNT],
  holds: [
    { when: 'it is what the close makes of it', given: valued('27050000') },
    {
      when: 'nothing is held',
      given: { ...valued('0'), 'account.equity_position': [] },
    },
    {
      when: 'a symbol did not trade and stands at its latest close',
      given: {
        ...valued('27050000'),
        'market.daily_summary': [day({ trading_date: SESSION_BEFORE }), day({ close: '0' })],
      },
    },
  ],
  breaks: [
    {
      when: 'it is half of it',
      given: valued('13525000'),
      offenders: [{ expected: '27050000', actual: '13525000', residual: '-13525000.0000' }],
    },
  ],
  flags: [
    {
      ...unlisted({ when: 'nobody listed the account', given: valued('13525000') }),
      offenders: [{ residual: '-13525000.0000' }],
    },
  ],
  silent: [
    SHORT,
    NOBODY,
    {
      when: 'no close is known of a symbol',
      given: { ...valued('1'), 'account.equity_position': [position({ symbol: 'XXX' })] },
      note: /no quantity or no close of 45 days is known of XXX/,
    },
    {
      when: 'the session is not held',
      given: { ...valued('1'), 'market.daily_summary': [day({ trading_date: SESSION_BEFORE })] },
      note: /the daily summaries of 2025-03-14 are not stored/,
    },
    {
      when: 'the session ran',
      given: { ...valued('1'), 'account.snapshot': [snapshot({ received_at: '2025-03-14 10:00:00+07' })] },
      note: /taken while its session ran/,
    },
  ],
} satisfies RuleCase
