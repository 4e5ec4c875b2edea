import { day, limit, type RuleCase } from '../world.js'

const limits = { 'market.price_limit': [limit()] }

export default {
  rule: 4,
  holds: [
    {
      when: 'close and reference differ by the change',
      given: { 'market.daily_summary': [day()], ...limits },
    },
    {
      when: 'the percentage was cut, not rounded',
      given: { 'market.daily_summary': [day({ price_change_percentage: '0.18' })], ...limits },
    },
  ],
  breaks: [
    {
      when: 'the change is that of another day',
      given: { 'market.daily_summary': [day({ price_change: '100' })], ...limits },
      offenders: [{ expected: 'close 27100', actual: 'close 27050', residual: '-50.0000' }],
    },
    {
      when: 'the change is half a dong less',
      given: { 'market.daily_summary': [day({ price_change: '49.5' })], ...limits },
      offenders: [{ expected: 'close 27049.5', actual: 'close 27050', residual: '0.5000' }],
    },
    {
      when: 'the percentage has another sign',
      given: { 'market.daily_summary': [day({ price_change_percentage: '-0.19' })], ...limits },
      offenders: [{ expected: '0.1852 %', actual: '-0.19 %' }],
    },
  ],
  silent: [
    {
      when: 'there is no reference price',
      given: { 'market.daily_summary': [day()] },
      note: /needs a daily summary with matched volume and the reference/,
    },
  ],
} satisfies RuleCase
