import { day, limit, type RuleCase, SESSION_BEFORE } from '../world.js'

const names = ['AAA', 'BBB', 'CCC', 'DDD', 'EEE', 'FFF']
const before = (over = {}) => day({ trading_date: SESSION_BEFORE, close: '27000', ...over })

export default {
  rule: 5,
  holds: [
    {
      when: 'the reference is the close before',
      given: { 'market.daily_summary': [before()], 'market.price_limit': [limit()] },
    },
    {
      when: 'the reference lies a tick beside the close before: noise',
      given: { 'market.daily_summary': [before()], 'market.price_limit': [limit({ ref_price: '26950' })] },
    },
    {
      when: 'UPCOM takes the average before, rounded to its tick whichever way',
      given: {
        'market.daily_summary': [before({ average: '27049.6' })],
        'market.price_limit': [limit({ exchange: 'UPCOM', ref_price: '27100' })],
      },
    },
    {
      when: 'a future takes the settlement before',
      given: {
        'market.daily_summary': [
          before({ symbol: '41I1F4000', close: '1300.1', settlement_price: '1299.8' }),
        ],
        'market.price_limit': [limit({ symbol: '41I1F4000', exchange: 'HNX', ref_price: '1299.8' })],
      },
    },
  ],
  breaks: [
    {
      when: 'many symbols differ at once: a fault of the source',
      given: {
        'market.daily_summary': names.map((symbol) => before({ symbol })),
        'market.price_limit': names.map((symbol) => limit({ symbol, ref_price: '26500' })),
      },
      offenders: names.map((symbol) => ({
        key: { symbol, trading_date: '2025-03-14' },
        residual: '-500.0000',
      })),
    },
    {
      when: 'a reference is a thousand times too small',
      given: { 'market.daily_summary': [before()], 'market.price_limit': [limit({ ref_price: '27' })] },
      offenders: [{ expected: 'close 27000, give or take 1 tick', actual: '27, factor 0.001' }],
    },
  ],
  flags: [
    {
      when: 'a reference rises by more than a tick, which no dividend does',
      given: { 'market.daily_summary': [before()], 'market.price_limit': [limit({ ref_price: '27500' })] },
      offenders: [{ state: 'soft', actual: '27500, factor 1.018519, a rise' }],
    },
    {
      when: 'the prices of the session lie beyond the limits around the reference, and around the basis they do not',
      given: {
        'market.daily_summary': [
          before(),
          day({ open: '27000', high: '27000', low: '27000', close: '27000' }),
        ],
        'market.price_limit': [limit({ ref_price: '25000' })],
      },
      offenders: [
        { state: 'soft', actual: '25000, factor 0.925926, contradicted by the prices of the session' },
      ],
    },
    {
      when: 'one symbol is ex-dividend',
      given: { 'market.daily_summary': [before()], 'market.price_limit': [limit({ ref_price: '26000' })] },
      offenders: [
        { state: 'soft', expected: 'close 27000, give or take 1 tick', actual: '26000, factor 0.962963' },
      ],
    },
  ],
  silent: [
    {
      when: 'the session before is not held',
      given: { 'market.price_limit': [limit()] },
      note: /needs the reference price/,
    },
  ],
} satisfies RuleCase
