import { bar, covered, day, limit, minute, type RuleCase } from '../world.js'

export default {
  rule: 2,
  holds: [
    {
      when: 'another symbol, whose price may not move, has one limit for both',
      given: {
        'market.daily_summary': [day()],
        'market.price_limit': [limit(), limit({ symbol: 'DNT', floor: '11000', ceiling: '11000' })],
      },
    },
    {
      when: 'prices touch both limits',
      given: {
        'market.daily_summary': [day({ low: '25150', high: '28850' })],
        'market.price_limit': [limit()],
      },
    },
  ],
  breaks: [
    {
      when: 'the high is above the ceiling',
      given: { 'market.daily_summary': [day({ high: '28900' })], 'market.price_limit': [limit()] },
      offenders: [
        {
          relation: 'market.daily_summary',
          expected: '25150 to 28850',
          actual: '26950 to 28900',
          residual: '50.0000',
        },
      ],
    },
    {
      when: 'the ceiling is below the floor: the limits are wrong',
      given: {
        'market.daily_summary': [day()],
        'market.price_limit': [limit({ ceiling: '25150', floor: '28850' })],
      },
      offenders: [{ relation: 'market.price_limit', expected: '28850 to 25150', actual: '26950 to 27100' }],
    },
    {
      when: 'the reference is not between the limits: the limits are wrong',
      given: {
        'market.daily_summary': [day()],
        'market.price_limit': [limit({ ceiling: '26990', floor: '23500' })],
      },
      offenders: [{ relation: 'market.price_limit', actual: '26950 to 27100', residual: '110.0000' }],
    },
    {
      when: 'the daily bar reached the same high: the limits are wrong',
      given: {
        'market.daily_summary': [day()],
        'market.price_limit': [limit({ ceiling: '27050', ref_price: null })],
        'market.candle': [bar()],
      },
      offenders: [{ relation: 'market.price_limit', expected: '25150 to 27050', residual: '50.0000' }],
    },
    {
      when: 'all minutes reached the same low: the limits are wrong',
      given: {
        'market.daily_summary': [day()],
        'market.price_limit': [limit({ floor: '27000', ref_price: null })],
        'ops.coverage': [covered('ohlc', { key: 'HPG', timeframe: '1m' })],
        'market.candle': [minute('09:15', { open: '27000', high: '27040', low: '26950', close: '27040' })],
      },
      offenders: [{ relation: 'market.price_limit', expected: '27000 to 28850', residual: '50.0000' }],
    },
    {
      when: 'the ceiling is below the floor of a symbol that did not trade',
      given: {
        'market.daily_summary': [day({ total_match: '0' })],
        'market.price_limit': [limit({ ceiling: '25150', floor: '28850' })],
      },
      offenders: [
        {
          relation: 'market.price_limit',
          expected: 'a floor below the ceiling',
          actual: '28850 to 25150',
          residual: '3700.0000',
        },
      ],
    },
    {
      when: 'the ceiling is below the floor, and the summary has lost its volume',
      given: {
        'market.daily_summary': [day({ total_match: null })],
        'market.price_limit': [limit({ ceiling: '1' })],
      },
      offenders: [{ relation: 'market.price_limit', actual: '25150 to 1' }],
    },
    {
      when: 'the daily bar reached another high: the summary is wrong',
      given: {
        'market.daily_summary': [day({ high: '28900' })],
        'market.price_limit': [limit()],
        'market.candle': [bar()],
      },
      offenders: [{ relation: 'market.daily_summary', actual: '26950 to 28900' }],
    },
  ],
  silent: [
    {
      when: 'there are no price limits',
      given: { 'market.daily_summary': [day()] },
      note: /needs a daily summary with matched volume/,
    },
    {
      when: 'nothing was matched',
      given: { 'market.daily_summary': [day({ total_match: '0' })], 'market.price_limit': [limit()] },
      note: /needs a daily summary with matched volume/,
    },
  ],
} satisfies RuleCase
