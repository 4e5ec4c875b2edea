import { roundedDay, roundedMarket } from '../rounded-market.js'
import { day, limit, type RuleCase, SESSION_BEFORE } from '../world.js'

const before = { ...day({ trading_date: SESSION_BEFORE, close: '27000' }) }
const withoutLimits = { ref_price: '27000', ceiling: null, floor: null }

/** Thirty names whose prices are whole hundreds. */
const hundreds = roundedMarket()

export default {
  rule: 46,
  holds: [
    {
      when: 'the close lies at the floor of the board',
      given: {
        'market.daily_summary': [before, day({ close: '25110' })],
        'market.price_limit': [limit(withoutLimits)],
      },
    },
    {
      when: 'the band reported is wider than that of the board',
      given: {
        'market.daily_summary': [before, day({ close: '23000' })],
        'market.price_limit': [limit({ ref_price: '27000', ceiling: '32400', floor: '21600' })],
      },
    },
    {
      when: 'the source rounds prices to hundreds: the close may lie half of that beyond the limit of a small price',
      given: {
        'market.daily_summary': [
          ...hundreds,
          roundedDay({ trading_date: SESSION_BEFORE, close: '5300' }),
          roundedDay({ low: '5700', close: '5700' }),
        ],
        'market.price_limit': [limit({ ...withoutLimits, ref_price: '5300' })],
      },
    },
  ],
  breaks: [
    {
      when: 'the source rounds prices to hundreds, and the close lies further beyond the limit',
      given: {
        'market.daily_summary': [
          ...hundreds,
          roundedDay({ trading_date: SESSION_BEFORE, close: '5300' }),
          roundedDay({ low: '5900', close: '5900' }),
        ],
        'market.price_limit': [limit({ ...withoutLimits, ref_price: '5300' })],
      },
      offenders: [{ actual: 'close 5900' }],
    },
    {
      when: 'the reference repeats the close before, and the close is 10.5 % below it on a board of 7 %',
      given: {
        'market.daily_summary': [before, day({ close: '24165' })],
        'market.price_limit': [limit(withoutLimits)],
      },
      offenders: [
        {
          relation: 'market.price_limit',
          expected: 'close within the limits around 27000',
          actual: 'close 24165',
        },
      ],
    },
  ],
  silent: [
    {
      when: 'the reference was adjusted',
      given: {
        'market.daily_summary': [before, day({ close: '24165' })],
        'market.price_limit': [limit({ ...withoutLimits, ref_price: '24500' })],
      },
      note: /needs the reference price/,
    },
    {
      when: 'nothing was matched',
      given: {
        'market.daily_summary': [before, day({ close: '24165', total_match: '0' })],
        'market.price_limit': [limit(withoutLimits)],
      },
      note: /needs the reference price/,
    },
  ],
} satisfies RuleCase
