import { day, index, type Row, type RuleCase, SESSION_BEFORE } from '../world.js'

const SYMBOLS = ['AAA', 'BBB', 'CCC', 'DDD', 'EEE']
const before = (over: Row = {}) => day({ trading_date: SESSION_BEFORE, ...over })

export default {
  rule: 38,
  holds: [
    {
      when: 'the day differs from the one before in its volume alone',
      given: { 'market.daily_summary': [before({ total_match: '999900' }), day()] },
    },
  ],
  breaks: [
    {
      when: 'five of five symbols repeat the day before',
      given: {
        'market.daily_summary': SYMBOLS.flatMap((symbol) => [before({ symbol }), day({ symbol })]),
      },
      offenders: SYMBOLS.map((symbol) => ({
        key: { symbol, trading_date: '2025-03-14' },
        expected: 'other than 2025-03-13',
        actual: 'the same, as 5 of 5',
      })),
    },
  ],
  flags: [
    {
      when: 'one symbol repeats the day before',
      given: { 'market.daily_summary': [before(), day()] },
      offenders: [{ relation: 'market.daily_summary', actual: 'the same, as 1 of 1' }],
    },
    {
      when: 'one index does',
      given: {
        'market.daily_summary': [before({ total_match: '0' })],
        'market.index_summary': [index({ trading_date: SESSION_BEFORE }), index()],
      },
      offenders: [{ relation: 'market.index_summary', actual: 'the same, as 1 of 1' }],
    },
  ],
  silent: [
    {
      when: 'there is no day before',
      given: { 'market.daily_summary': [day()], 'market.index_summary': [index()] },
      note: /and those before them/,
    },
    {
      when: 'nothing matched on either day',
      given: { 'market.daily_summary': [before({ total_match: '0' }), day({ total_match: '0' })] },
      note: /with matched volume/,
    },
  ],
} satisfies RuleCase
