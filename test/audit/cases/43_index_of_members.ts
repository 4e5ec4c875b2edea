import { day, index, limit, type Row, type RuleCase } from '../world.js'

const member = (symbol: string): Row => ({ index_code: 'VN30', symbol, valid_from: '2025-03-03' })
const vn30 = (over: Row = {}) => ({
  'market.index_member': [member('HPG'), member('VCB')],
  'market.daily_summary': [day(), day({ symbol: 'VCB', close: '26950' })],
  'market.price_limit': [limit(), limit({ symbol: 'VCB' })],
  'market.index_summary': [index({ index_code: 'VN30', total_no_change_stock: '0', ...over })],
})

export default {
  rule: 43,
  holds: [{ when: 'totals and breadth are those of the members', given: vn30() }],
  breaks: [],
  flags: [
    {
      when: 'the total is another',
      given: vn30({ total_match: '2100000' }),
      offenders: [{ key: { index_code: 'VN30', trading_date: '2025-03-14' }, residual: '100000.0000' }],
    },
    {
      when: 'more fell than there are',
      given: vn30({ total_decline_stock: '1000' }),
      offenders: [{ state: 'soft' }],
    },
  ],
  silent: [
    {
      when: 'a member has no summary',
      given: { ...vn30(), 'market.daily_summary': [day()] },
      note: /needs an index summary, its members/,
    },
    {
      when: 'members are known only from a later day on',
      given: { ...vn30(), 'market.index_member': [{ ...member('HPG'), valid_from: '2025-03-17' }] },
      note: /needs an index summary, its members/,
    },
  ],
} satisfies RuleCase
