import { index, type RuleCase } from '../world.js'

const traded = {
  total_prop_buy: '30000',
  total_prop_sell: '20000',
  total_prop_buy_value: '810600000',
  total_prop_sell_value: '540400000',
}

export default {
  rule: 45,
  holds: [{ when: 'brokers trade a part of all', given: { 'market.index_summary': [index(traded)] } }],
  breaks: [],
  flags: [
    {
      when: 'the value is in another unit, and no deals are reported',
      given: {
        'market.index_summary': [
          index({
            ...traded,
            total_prop_buy_value: '810600000000',
            total_deal: null,
            total_deal_value: null,
          }),
        ],
      },
      offenders: [{ state: 'soft' }],
    },
    {
      when: 'they buy more than was traded',
      given: { 'market.index_summary': [index({ ...traded, total_prop_buy: '30000000' })] },
      offenders: [{ residual: '27900000.0000' }],
    },
    {
      when: 'the value is in another unit',
      given: { 'market.index_summary': [index({ ...traded, total_prop_buy_value: '810600000000' })] },
      offenders: [{ state: 'soft' }],
    },
  ],
  silent: [
    {
      when: 'the service tells of none',
      given: { 'market.index_summary': [index()] },
      note: /needs an index summary/,
    },
  ],
} satisfies RuleCase
