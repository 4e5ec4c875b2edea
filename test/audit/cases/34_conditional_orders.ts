import { ACCOUNT, former, NOBODY, NOW, SHORT, snapshot } from '../accounts.js'
import type { Row, RuleCase } from '../world.js'

const stop: Row = {
  snapshot_id: NOW,
  account_no: ACCOUNT,
  fco_id: 'F1',
  type: 'stop',
  status: 'FIS',
  quantity: '100',
  matched_quantity: '100',
  from_at: '2025-03-13 09:00:00+07',
  to_at: '2025-03-20 09:00:00+07',
}
const step = (ordinal: number, state: string, time: string): Row => ({
  snapshot_id: NOW,
  account_no: ACCOUNT,
  fco_id: 'F1',
  ordinal,
  state,
  occurred_at: `2025-03-14 ${time}+07`,
})
const rising = [step(1, 'INIT', '09:00:00'), step(2, 'WAIT', '09:00:00'), step(3, 'FIS', '10:00:00')]
const falling = [step(1, 'FIS', '10:00:00'), step(2, 'WAIT', '09:30:00'), step(3, 'INIT', '09:00:00')]
const orderWith = (over: Row, steps: readonly Row[], taken: Row = {}) => ({
  'account.snapshot': [snapshot(taken)],
  'account.conditional_order': [{ ...stop, ...over }],
  'account.conditional_order_event': steps,
})

export default {
  rule: 34,
  holds: [
    { when: 'a history is reported oldest first', given: orderWith({}, rising) },
    { when: 'a history is reported newest first', given: orderWith({}, falling) },
    { when: 'no history is reported', given: orderWith({}, []) },
    { when: 'it is valid for 31 days', given: orderWith({ to_at: '2025-04-13 09:00:00+07' }, rising) },
  ],
  breaks: [
    {
      when: 'more was matched than ordered',
      given: orderWith({ matched_quantity: '200' }, rising),
      offenders: [
        {
          relation: 'account.conditional_order',
          expected: 'matched 0 to 100',
          actual: 'matched 200',
          residual: '100.0000',
        },
      ],
    },
    {
      when: 'a history ends with another status',
      given: orderWith({ status: 'EXP' }, rising),
      offenders: [
        {
          relation: 'account.conditional_order_event',
          expected: 'a history that ends with EXP',
          actual: 'it ends with FIS',
        },
      ],
    },
    {
      when: 'times rise and fall',
      given: orderWith({}, [...rising.slice(0, 2), step(3, 'TRI', '11:00:00'), step(4, 'FIS', '10:00:00')]),
      offenders: [{ expected: 'times in order', actual: 'times rise and fall' }],
    },
  ],
  flags: [
    {
      when: 'it is valid for longer, which live deployments let pass',
      given: orderWith({ to_at: '2025-04-15 09:00:00+07' }, rising),
      offenders: [{ state: 'soft', expected: 'valid for 0 to 31 days', residual: '2.0000' }],
    },
    {
      when: 'the status moved on while the session ran',
      given: orderWith({ status: 'WAIT' }, rising, { received_at: '2025-03-14 10:00:00+07' }),
      offenders: [{ state: 'soft', actual: 'it ends with FIS' }],
    },
    {
      when: 'the history was reported for the snapshot before, and not asked again',
      given: {
        ...orderWith(
          { status: 'EXP' },
          rising.map((one) => ({ ...one, loaded_at: '2025-03-13 17:59:00+07' })),
        ),
        'account.snapshot': [former(), snapshot()],
      },
      offenders: [{ state: 'soft', actual: 'it ends with FIS' }],
    },
  ],
  silent: [
    SHORT,
    NOBODY,
    {
      when: 'there are no conditional orders',
      given: { 'account.snapshot': [snapshot()] },
      note: /needs a complete snapshot with conditional orders/,
    },
  ],
} satisfies RuleCase
