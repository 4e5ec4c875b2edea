import { day, limit, type RuleCase, SESSION_BEFORE } from '../world.js'

const before = day({ trading_date: SESSION_BEFORE })
const future = {
  symbol: '41I1F4000',
  open: '1300',
  high: '1305',
  low: '1298',
  close: '1300.5',
  open_interest: '50000',
  settlement_price: '1300.5',
}

export default {
  rule: 42,
  holds: [
    { when: 'a dull day follows another', given: { 'market.daily_summary': [before, day()] } },
    {
      when: 'a future settles at a price of its day',
      given: {
        'market.daily_summary': [day({ ...future, trading_date: SESSION_BEFORE }), day(future)],
        'market.price_limit': [
          limit({ symbol: '41I1F4000', ceiling: '1390', floor: '1210', ref_price: '1300' }),
        ],
      },
    },
  ],
  breaks: [],
  flags: [
    {
      when: 'ordered volume is in thousands of units',
      given: { 'market.daily_summary': [before, day({ total_buy: '1500000000' })] },
      offenders: [{ actual: 'total_buy 1500000000 of matched 1000000' }],
    },
    {
      when: 'more orders than ordered units',
      given: { 'market.daily_summary': [before, day({ total_trade_sell: '9500000' })] },
      offenders: [{ actual: 'total_trade_sell 9500000 of total_sell 1400000' }],
    },
    {
      when: 'the room in all changes overnight',
      given: { 'market.daily_summary': [before, day({ total_foreign_room: '1000000001' })] },
      offenders: [{ actual: 'total_foreign_room 1000000001 after 1000000000' }],
    },
    {
      when: 'a future settles beside its day, and its open interest grows tenfold',
      given: {
        'market.daily_summary': [
          day({ ...future, trading_date: SESSION_BEFORE }),
          day({ ...future, open_interest: '600000', settlement_price: '13005' }),
        ],
        'market.price_limit': [
          limit({ symbol: '41I1F4000', ceiling: '1390', floor: '1210', ref_price: '1300' }),
        ],
      },
      offenders: [{ actual: 'open_interest 600000 after 50000; settlement_price 13005 beside 1298 to 1305' }],
    },
  ],
  silent: [
    {
      when: 'nothing was matched',
      given: { 'market.daily_summary': [day({ total_match: '0' })] },
      note: /needs a daily summary/,
    },
  ],
} satisfies RuleCase
