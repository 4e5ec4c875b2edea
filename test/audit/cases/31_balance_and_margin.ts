import { ACCOUNT, balance, FUTURES, NOBODY, NOW, SHORT, snapshot } from '../accounts.js'
import type { RuleCase } from '../world.js'

const margin = { snapshot_id: NOW, account_no: ACCOUNT, account_balance: '100000000', buy_t0: '0' }
const future = { snapshot_id: NOW, account_no: FUTURES, account_balance: '5', total_pl: '7' }

export default {
  rule: 31,
  holds: [
    {
      when: 'both say the same',
      given: {
        'account.snapshot': [snapshot()],
        'account.equity_balance': [balance()],
        'account.equity_margin': [margin],
      },
    },
    {
      when: 'both say the same of contracts',
      given: {
        'account.snapshot': [snapshot({ account_no: FUTURES })],
        'account.derivative_balance': [future],
        'account.derivative_margin': [future],
      },
    },
  ],
  breaks: [
    {
      when: 'two fields differ',
      given: {
        'account.snapshot': [snapshot()],
        'account.equity_balance': [balance()],
        'account.equity_margin': [{ ...margin, account_balance: '99000000', buy_t0: '5' }],
      },
      offenders: [
        {
          relation: 'account.equity_margin',
          expected: 'account_balance 100000000, buy_t0 0',
          actual: 'account_balance 99000000, buy_t0 5',
          residual: '1000000.0000',
        },
      ],
    },
    {
      when: 'profit differs',
      given: {
        'account.snapshot': [snapshot({ account_no: FUTURES })],
        'account.derivative_balance': [future],
        'account.derivative_margin': [{ ...future, total_pl: '8' }],
      },
      offenders: [{ relation: 'account.derivative_margin', expected: 'total_pl 7', actual: 'total_pl 8' }],
    },
  ],
  flags: [
    {
      when: 'the session ran',
      given: {
        'account.snapshot': [snapshot({ received_at: '2025-03-14 10:00:00+07' })],
        'account.equity_balance': [balance()],
        'account.equity_margin': [{ ...margin, buy_t0: '5' }],
      },
      offenders: [{ state: 'soft', residual: '5.0000' }],
    },
  ],
  silent: [
    SHORT,
    NOBODY,
    {
      when: 'there is no PP/MMR',
      given: { 'account.snapshot': [snapshot()], 'account.equity_balance': [balance()] },
      note: /needs a complete snapshot with both/,
    },
  ],
} satisfies RuleCase
