import { board, covered, day, index, limit, type RuleCase } from '../world.js'

const whole = { 'ops.coverage': [covered('securitiesSummary')] }

export default {
  rule: 19,
  holds: [
    { when: 'the stocks of HOSE give its breadth', given: { ...board(), ...whole } },
    {
      when: 'untraded stocks do not count as unchanged',
      given: { ...board(), 'market.index_summary': [index({ total_no_change_stock: '0' })], ...whole },
    },
    {
      when: 'summaries are short: only the index itself is looked at',
      given: { ...board(), 'market.index_summary': [index({ total_advance_stock: '200' })] },
    },
  ],
  breaks: [
    {
      when: 'more closed at the ceiling than rose',
      given: { 'market.index_summary': [index({ total_ceiling_stock: '3' })] },
      offenders: [
        {
          expected: 'rising at least 3, falling at least 0',
          actual: 'rising 1, falling 1, unchanged 1',
          residual: '-2.0000',
        },
      ],
    },
    {
      when: 'one stock fewer rose',
      given: { ...board(), 'market.index_summary': [index({ total_advance_stock: '2' })], ...whole },
      offenders: [
        {
          relation: 'market.index_summary',
          expected: 'rising 1, falling 1, unchanged 0 to 1',
          actual: 'rising 2, falling 1, unchanged 1',
          residual: '1.0000',
        },
      ],
    },
    {
      when: 'more are unchanged than there are',
      given: {
        'market.daily_summary': [day()],
        'market.price_limit': [limit()],
        'market.index_summary': [index({ total_decline_stock: '0', total_no_change_stock: '5' })],
        ...whole,
      },
      offenders: [{ expected: 'rising 1, falling 0, unchanged 0 to 0' }],
    },
  ],
  silent: [
    {
      when: 'no breadth is reported',
      given: { ...board(), 'market.index_summary': [index({ total_advance_stock: null })], ...whole },
      note: /needs an index summary with its breadth/,
    },
  ],
} satisfies RuleCase
