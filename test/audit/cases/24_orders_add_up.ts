import { ACCOUNT, BEFORE, former, NOBODY, NOW, order, SHORT, snapshot, UNLISTED } from '../accounts.js'
import type { RuleCase } from '../world.js'

const page = {
  request_id: 'r-1',
  run_id: NOW,
  endpoint: 'orderBook',
  query: JSON.stringify({ accountNo: ACCOUNT }),
  received_at: '2025-03-14 18:00:00+07',
}
const book = (...rows: ReturnType<typeof order>[]) => ({
  'account.snapshot': [former(), snapshot()],
  'account.order_book': rows,
})

export default {
  rule: 24,
  holds: [
    { when: 'an order is filled', given: book(order()) },
    {
      when: 'the page reported as many orders as are held',
      given: { ...book(order()), 'ops.request': [{ ...page, items_count: '1' }] },
    },
    {
      when: 'there are no orders, and the page said so',
      given: { ...book(), 'ops.request': [{ ...page, items_count: '0' }] },
    },
  ],
  breaks: [
    {
      when: 'more is filled and cancelled than was ordered',
      given: book(order({ cancel_qty: '50' })),
      offenders: [
        {
          relation: 'account.order_book',
          key: { account_no: ACCOUNT, order_id: '1' },
          expected: 'filled and cancelled at most 100',
          actual: '150',
          residual: '50.0000',
        },
      ],
    },
    {
      when: 'less is filled than before',
      given: book(order({ snapshot_id: BEFORE }), order({ filled_qty: '60' })),
      offenders: [{ expected: 'filled at least 100', actual: 'filled 60', residual: '-40.0000' }],
    },
    {
      when: 'an order_id names another order than before',
      given: book(order({ snapshot_id: BEFORE, side: 'S' }), order()),
      offenders: [{ expected: 'HPG S', actual: 'HPG B' }],
    },
    {
      when: 'two accounts have an order of one id',
      given: {
        'account.snapshot': [snapshot(), snapshot({ account_no: UNLISTED })],
        'account.order_book': [order(), order({ account_no: UNLISTED })],
      },
      offenders: [
        { expected: 'one account', actual: '2 accounts' },
        { expected: 'one account', actual: '2 accounts' },
      ],
    },
    {
      when: 'orders are missing',
      given: { ...book(order()), 'ops.request': [{ ...page, items_count: '3' }] },
      offenders: [{ expected: '3 orders', actual: '1 orders', residual: '-2.0000' }],
    },
  ],
  silent: [
    SHORT,
    NOBODY,
    {
      when: 'there are no orders, and no count',
      given: book(),
      note: /needs a complete snapshot with orders/,
    },
  ],
} satisfies RuleCase
