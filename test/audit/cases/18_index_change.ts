import { index, limit, type RuleCase, SESSION_BEFORE } from '../world.js'

const before = index({
  trading_date: SESSION_BEFORE,
  index_value: '1326.10',
  index_change: null,
  index_change_percentage: null,
})

/** What makes the day before a session. */
const held = { 'market.price_limit': [limit({ trading_date: SESSION_BEFORE })] }

export default {
  rule: 18,
  holds: [
    {
      when: 'value, change and percentage agree',
      given: { ...held, 'market.index_summary': [before, index()] },
    },
    {
      when: 'the change is rounded',
      given: { ...held, 'market.index_summary': [{ ...before, index_value: '1326.11' }, index()] },
    },
  ],
  breaks: [
    {
      when: 'the session before ended elsewhere',
      given: { ...held, 'market.index_summary': [{ ...before, index_value: '1320.1' }, index()] },
      offenders: [
        {
          relation: 'market.index_summary',
          key: { index_code: 'VNINDEX', trading_date: '2025-03-14' },
          expected: 'before 1320.1, 0.0038 %',
          actual: 'before 1326.1, 0 %',
          residual: '6.0000',
        },
      ],
    },
    {
      when: 'the percentage is of something else',
      given: { 'market.index_summary': [index({ index_change_percentage: '0.38' })] },
      offenders: [{ residual: '0.3762' }],
    },
  ],
  flags: [
    {
      when: 'the value differs from that of a session two days before: there may have been one between',
      given: {
        'market.index_summary': [{ ...before, trading_date: '2025-03-12', index_value: '1320.1' }, index()],
        'market.price_limit': [limit({ trading_date: '2025-03-12' })],
      },
      offenders: [{ residual: '6.0000' }],
    },
  ],
  silent: [
    {
      when: 'nothing is known of the session before, and no percentage is reported',
      given: { 'market.index_summary': [index({ index_change_percentage: null })] },
      note: /one of the session before or a percentage/,
    },
    {
      when: 'the value is zero',
      given: { ...held, 'market.index_summary': [before, index({ index_value: '0' })] },
      note: /needs an index summary with value and change/,
    },
  ],
} satisfies RuleCase
