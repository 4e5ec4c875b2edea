import { contracts, FUTURES, NOBODY, NOW, SHORT, snapshot } from '../accounts.js'
import type { RuleCase } from '../world.js'

const mine = { 'account.snapshot': [snapshot({ account_no: FUTURES })] }
const money = { snapshot_id: NOW, account_no: FUTURES, trading_pl: '5', floating_pl: '-3', total_pl: '2' }
const ends = (last_trading_date: string) => [
  { first_seen: '2025-01-02', symbol: 'VN30F2503', last_trading_date, is_listed: true },
]

export default {
  rule: 33,
  holds: [
    {
      when: 'positions and profits add up',
      given: {
        ...mine,
        'account.derivative_position_summary': [contracts()],
        'account.derivative_position': [contracts({ side_of_book: 'open', long: '2', short: '0' })],
        'account.derivative_balance': [money],
        'account.derivative_margin': [money],
      },
    },
    {
      when: 'a contract is open on its last trading date',
      given: {
        ...mine,
        'market.security': ends('2025-03-14'),
        'account.derivative_position_summary': [contracts()],
      },
    },
  ],
  breaks: [
    {
      when: 'net is another',
      given: { ...mine, 'account.derivative_position_summary': [contracts({ net: '4' })] },
      offenders: [
        {
          key: { account_no: FUTURES, symbol: 'VN30F2503' },
          expected: 'net 2',
          actual: 'net 4',
          residual: '2.0000',
        },
      ],
    },
    {
      when: 'a contract is open past its last trading date',
      given: {
        ...mine,
        'market.security': ends('2025-03-13'),
        'account.derivative_position': [contracts({ side_of_book: 'open' })],
      },
      offenders: [{ expected: 'nothing open after 2025-03-13', actual: 'net 2' }],
    },
    {
      when: 'profits do not add up',
      given: { ...mine, 'account.derivative_balance': [{ ...money, total_pl: '9' }] },
      offenders: [
        {
          relation: 'account.derivative_balance',
          expected: 'total_pl 2',
          actual: 'total_pl 9',
          residual: '7.0000',
        },
      ],
    },
  ],
  silent: [
    {
      ...SHORT,
      given: {
        'account.snapshot': [snapshot({ account_no: FUTURES, state: 'partial', missing: 'orders: 2 of 3' })],
      },
    },
    NOBODY,
    {
      when: 'nothing is reported of it',
      given: mine,
      note: /needs a complete snapshot with a derivative position/,
    },
  ],
} satisfies RuleCase
