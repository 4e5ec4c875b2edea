import { ACCOUNT, NOBODY, NOW, SHORT, snapshot } from '../accounts.js'
import { limit, minute, type Row, type RuleCase, SESSION, SESSION_BEFORE } from '../world.js'

const mine: Row = { snapshot_id: NOW, account_no: ACCOUNT, fco_id: 'F1' }
const triggered = (order: Row, bars: readonly Row[], time = '10:00:30') => ({
  'account.snapshot': [snapshot()],
  'market.price_limit': [limit({ trading_date: SESSION_BEFORE }), limit()],
  'account.conditional_order': [
    { ...mine, symbol: 'HPG', side: 'S', from_at: `${SESSION} 09:00:00+07`, ...order },
  ],
  'account.conditional_order_event': [
    { ...mine, ordinal: '1', state: 'WAIT', occurred_at: `${SESSION} 09:00:00+07` },
    { ...mine, ordinal: '2', state: 'TRI', occurred_at: `${SESSION} ${time}+07` },
  ],
  'market.candle': bars,
})
const stop = { type: 'stop', operator: 'lesser_or_equal', stop_price: '26950' }
const oco = { type: 'oco', tp_active_price: '27100', sl_active_price: '26000' }
const trailing = { type: 'trailing_stop', active_price: '27100', trailing_amount: '150' }
const flat = { high: '27050', low: '27000' }

export default {
  rule: 35,
  holds: [
    { when: 'a bar fell to the stop', given: triggered(stop, [minute('09:59', flat), minute('10:00')]) },
    { when: 'a bar reached the take-profit', given: triggered(oco, [minute('09:59')]) },
    {
      when: 'a bar reached the activation, and a later one turned far enough',
      given: triggered(trailing, [minute('09:58'), minute('09:59', { high: '27000', low: '26950' })]),
    },
    {
      when: 'the bar that reached the activation had not turned, and the later one that turned is below it',
      given: triggered(trailing, [
        minute('09:58', { high: '27100', low: '27050' }),
        minute('09:59', { high: '27000', low: '26950' }),
      ]),
    },
    {
      when: 'a trailing stop was activated in the session before',
      given: triggered({ ...trailing, from_at: `${SESSION_BEFORE} 09:00:00+07` }, [
        minute('09:58', { trading_date: SESSION_BEFORE }),
        minute('09:59', { high: '27000', low: '26950' }),
      ]),
    },
    {
      when: 'an auction set the price, told a second earlier',
      given: triggered(stop, [minute('09:15')], '09:14:59'),
    },
  ],
  breaks: [
    {
      when: 'the price fell to the stop only afterwards',
      given: triggered(stop, [minute('10:00', flat), minute('10:05')]),
      offenders: [
        {
          relation: 'account.conditional_order_event',
          key: { account_no: ACCOUNT, fco_id: 'F1', ordinal: 2 },
          expected: 'HPG <= 26950 by 2025-03-14 10:00:30',
          actual: '27000 to 27050',
        },
      ],
    },
    {
      when: 'neither leg was reached',
      given: triggered(oco, [minute('10:00', flat)]),
      offenders: [{ expected: 'HPG 27100 or 26000 by 2025-03-14 10:00:30' }],
    },
    {
      when: 'the price turned before the activation',
      given: triggered(trailing, [
        minute('09:58', { high: '27000', low: '26950' }),
        minute('09:59', { low: '27050' }),
      ]),
      offenders: [{ expected: 'HPG 27100, then 150 below the highest by 2025-03-14 10:00:30' }],
    },
  ],
  silent: [
    SHORT,
    NOBODY,
    {
      when: 'no bars are held',
      given: triggered(stop, []),
      note: /no 1m bars of HPG are stored for 2025-03-14/,
    },
    {
      when: 'the bars since it was placed are not all held',
      given: triggered({ ...trailing, from_at: `${SESSION_BEFORE} 09:00:00+07` }, [minute('09:59', flat)]),
      note: /no 1m bars of HPG are stored for 1 sessions since 2025-03-13/,
    },
    {
      when: 'the operator is a number',
      given: triggered({ ...stop, operator: '1' }, [minute('10:00')]),
      note: /which comparison 1 is, is not known/,
    },
    {
      when: 'nothing has triggered',
      given: { 'account.snapshot': [snapshot()] },
      note: /needs a conditional order that triggered/,
    },
  ],
} satisfies RuleCase
