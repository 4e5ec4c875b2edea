import { covered, day, type RuleCase, SESSION } from '../world.js'

const DAYS = ['2025-03-07', '2025-03-10', '2025-03-11', '2025-03-12', '2025-03-13']
const SYMBOLS = ['AAA', 'BBB', 'CCC', 'DDD', 'EEE', 'FFF', 'GGG', 'HHH']
const rows = (dates: readonly string[], count: number) =>
  dates.flatMap((trading_date) => SYMBOLS.slice(0, count).map((symbol) => day({ symbol, trading_date })))
const whole = { 'ops.coverage': [covered('securitiesSummary')] }
/** Minute bars of `count` symbols before, and of so many today of those that were asked for. */
const answered = (before: number, today: number, count = SYMBOLS.length) => [
  ...DAYS.flatMap((window_from) =>
    SYMBOLS.slice(0, before).map((key) => covered('ohlc', { key, timeframe: '1m', window_from })),
  ),
  ...SYMBOLS.slice(0, count).map((key, at) =>
    covered('ohlc', { key, timeframe: '1m', row_count: at < today ? '227' : '0' }),
  ),
]

export default {
  rule: 22,
  holds: [
    {
      when: 'there are as many as on the days before',
      given: { 'market.daily_summary': [...rows(DAYS, 8), ...rows([SESSION], 8)], ...whole },
    },
    {
      when: 'as many symbols have minute bars',
      given: { 'ops.coverage': answered(7, 7) },
    },
  ],
  breaks: [
    {
      when: 'more than half of the market is missing',
      given: { 'market.daily_summary': [...rows(DAYS, 8), ...rows([SESSION], 3)], ...whole },
      offenders: [
        {
          relation: 'market.daily_summary',
          key: { trading_date: '2025-03-14' },
          expected: '8 to 8 rows',
          actual: '3 rows',
          residual: '-5.0000',
        },
      ],
    },
    {
      when: 'hardly a symbol has minute bars',
      given: { 'ops.coverage': answered(8, 2) },
      offenders: [
        { relation: 'market.candle', key: { timeframe: '1m', trading_date: '2025-03-14' }, actual: '2 rows' },
      ],
    },
  ],
  flags: [
    {
      when: 'two of eight are missing',
      given: { 'market.daily_summary': [...rows(DAYS, 8), ...rows([SESSION], 6)], ...whole },
      offenders: [{ expected: '8 to 8 rows', actual: '6 rows' }],
    },
    {
      when: 'the service says that there is nothing: perhaps a holiday',
      given: {
        'market.daily_summary': rows(DAYS, 8),
        'ops.coverage': [covered('securitiesSummary', { state: 'empty' })],
      },
      offenders: [{ actual: '0 rows' }],
    },
  ],
  silent: [
    {
      when: 'a file brought some of it, and the service was not asked',
      given: {
        'market.daily_summary': [...rows(DAYS, 8), ...rows([SESSION], 1)],
        'ops.coverage': [covered('securitiesSummary', { state: 'imported' })],
      },
      note: /requested as a whole/,
    },
    {
      when: 'the sessions before it are what a file brought',
      given: {
        'market.daily_summary': [...rows(DAYS, 1), ...rows([SESSION], 8)],
        'ops.coverage': [
          covered('securitiesSummary'),
          ...DAYS.map((window_from) => covered('securitiesSummary', { window_from, state: 'imported' })),
        ],
      },
      note: /five sessions before it/,
    },
    {
      when: 'four sessions are held before',
      given: { 'market.daily_summary': [...rows(DAYS.slice(1), 8), ...rows([SESSION], 1)], ...whole },
      note: /five sessions before it/,
    },
    {
      when: 'only some symbols were asked for',
      given: {
        'market.daily_summary': [...rows(DAYS, 8), ...rows([SESSION], 1)],
        'ops.coverage': [covered('securitiesSummary', { key: 'AAA' }), ...answered(8, 1, 1)],
      },
      note: /requested as a whole/,
    },
  ],
} satisfies RuleCase
