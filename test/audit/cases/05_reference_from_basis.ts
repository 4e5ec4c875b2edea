import { bar, covered, day, limit, type RuleCase, SESSION_BEFORE } from '../world.js'

const TWO_BEFORE = '2025-03-12'

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
      when: 'a reference is a thousand times too small, and a summary was omitted: that explains no such fall',
      given: {
        'market.daily_summary': [
          before({ trading_date: TWO_BEFORE }),
          before({ trading_date: TWO_BEFORE, symbol: 'VCB' }),
          before({ symbol: 'VCB' }),
        ],
        'market.price_limit': [limit({ ref_price: '27' })],
        'ops.coverage': [TWO_BEFORE, SESSION_BEFORE].map((window_from) =>
          covered('securitiesSummary', { window_from, window_to: window_from }),
        ),
      },
      offenders: [{ actual: '27, factor 0.001' }],
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
      when: 'no session before it is stored',
      given: { 'market.price_limit': [limit()] },
      note: /^No daily summary of HPG is stored for the 45 days before 2025-03-14/,
    },
    {
      when: 'nothing has a reference price',
      given: { 'market.daily_summary': [before()], 'market.price_limit': [limit({ ref_price: null })] },
      note: /needs the reference price/,
    },
    {
      when: 'the summary of the session before was omitted for the symbol alone, which fell by 7 % then',
      given: {
        'market.daily_summary': [
          before({ trading_date: TWO_BEFORE, close: '29000' }),
          before({ trading_date: TWO_BEFORE, symbol: 'VCB' }),
          before({ symbol: 'VCB', close: '27000' }),
        ],
        'market.price_limit': [limit()],
        'ops.coverage': [TWO_BEFORE, SESSION_BEFORE].map((window_from) =>
          covered('securitiesSummary', { window_from, window_to: window_from }),
        ),
      },
      note: /^The daily summary of HPG for 2025-03-13 is not stored, so its reference price/,
    },
    {
      when: 'its bar shows that it traded on the session whose summary was omitted',
      given: {
        'market.daily_summary': [
          before({ trading_date: TWO_BEFORE, close: '29000' }),
          before({ symbol: 'VCB', close: '27000' }),
        ],
        'market.price_limit': [limit({ trading_date: SESSION_BEFORE, ref_price: '29000' }), limit()],
        'market.candle': [bar({ trading_date: SESSION_BEFORE, close: '27000' })],
        'ops.coverage': [
          ...[TWO_BEFORE, SESSION_BEFORE].map((window_from) =>
            covered('securitiesSummary', { window_from, window_to: window_from }),
          ),
          covered('ohlc', {
            key: 'HPG',
            timeframe: '1d',
            window_from: SESSION_BEFORE,
            window_to: SESSION_BEFORE,
          }),
        ],
      },
      note: /^The daily summary of HPG for 2025-03-13 is not stored/,
    },
    {
      when: 'a session in between was never requested',
      given: {
        'market.daily_summary': [before({ trading_date: '2025-03-11', close: '29000' })],
        'market.price_limit': [limit()],
      },
      note: /^Between 2025-03-11 and 2025-03-14 a session is not stored whole/,
    },
  ],
} satisfies RuleCase
