import { index, type RuleCase, SESSION_BEFORE } from '../world.js'

const counted = { total_trade: '98765' }

export default {
  rule: 17,
  holds: [
    { when: 'the parts make the whole', given: { 'market.index_summary': [index()] } },
    {
      when: 'total_trade counts trades, and the values add up',
      given: { 'market.index_summary': [index(counted), index({ ...counted, index_code: 'VN30' })] },
    },
  ],
  breaks: [
    {
      when: 'one index of many does not add up',
      given: {
        'market.index_summary': [
          index({ trading_date: SESSION_BEFORE }),
          index({ index_code: 'VN30' }),
          index({ total_trade: '2099900' }),
        ],
      },
      offenders: [
        {
          key: { index_code: 'VNINDEX', trading_date: '2025-03-14' },
          expected: 'volume 2100000, value 56740000000',
          actual: 'volume 2099900, value 56740000000',
          residual: '-100.0000',
        },
      ],
    },
    {
      when: 'the values do not add up',
      given: { 'market.index_summary': [index({ total_trade_value: '56740000002' })] },
      offenders: [{ actual: 'volume 2100000, value 56740000002', residual: '2.0000' }],
    },
  ],
  flags: [
    {
      when: 'fewer than half add up',
      given: {
        'market.index_summary': [
          index(),
          index({ ...counted, index_code: 'VN30' }),
          index({ ...counted, index_code: 'VN100' }),
        ],
      },
      offenders: [
        { key: { index_code: 'VN100', trading_date: '2025-03-14' } },
        { actual: 'volume 98765, value 56740000000' },
      ],
    },
  ],
  silent: [
    {
      when: 'total_trade counts trades, and no value is reported',
      given: { 'market.index_summary': [index({ ...counted, total_trade_value: null })] },
      note: /counts trades/,
    },
    {
      when: 'no totals are reported',
      given: { 'market.index_summary': [index({ total_trade: null, total_trade_value: null })] },
      note: /needs index summaries with totals/,
    },
  ],
} satisfies RuleCase
