import { ACCOUNT, NOBODY, NOW, position, SHORT, snapshot, unlisted } from '../accounts.js'
import type { RuleCase } from '../world.js'

const held = (over: ReturnType<typeof position>) => ({
  'account.snapshot': [snapshot()],
  'account.equity_position': [position(over)],
})
const asked = { snapshot_id: NOW, account_no: ACCOUNT, symbol: 'HPG' }
const wrong = held({ selling_quantity: '100' })

export default {
  rule: 28,
  strict: [ACCOUNT],
  holds: [
    { when: 'all of it may be sold', given: held({}) },
    { when: 'shares still arrive', given: held({ sellable_quantity: '300' }) },
    {
      when: 'the most that can be sold is what is sellable',
      given: { ...held({}), 'account.max_quantity': [{ ...asked, max_sell_qty: '1000' }] },
    },
  ],
  breaks: [
    {
      when: 'what is selling may be sold once more',
      given: wrong,
      offenders: [
        {
          relation: 'account.equity_position',
          expected: '0 to 900 sellable',
          actual: '1000',
          residual: '100.0000',
        },
      ],
    },
    {
      when: 'blocked, mortgaged and restricted shares may be sold',
      given: held({ block_quantity: '1', mortgage_quantity: '2', restricted_quantity: '3' }),
      offenders: [{ residual: '6.0000' }],
    },
    {
      when: 'more can be sold than is sellable',
      given: {
        ...held({ sellable_quantity: '300' }),
        'account.max_quantity': [{ ...asked, max_sell_qty: '1000' }],
      },
      offenders: [
        { relation: 'account.max_quantity', expected: 'at most 300 can be sold', residual: '700.0000' },
      ],
    },
  ],
  flags: [
    {
      ...unlisted({ when: 'nobody listed the account', given: wrong }),
      offenders: [{ residual: '100.0000' }],
    },
  ],
  silent: [
    SHORT,
    NOBODY,
    {
      when: 'it is not reported what may be sold',
      given: held({ sellable_quantity: null }),
      note: /needs a complete/,
    },
  ],
} satisfies RuleCase
