import { limit, type RuleCase, security } from '../world.js'

const listed = { 'market.security': [security()] }

export default {
  rule: 6,
  holds: [
    {
      when: 'the band is 7 % on HOSE, rounded to ticks',
      given: { ...listed, 'market.price_limit': [limit()] },
    },
  ],
  breaks: [],
  flags: [
    {
      when: 'the band is 20 %, as after 25 idle sessions',
      given: { ...listed, 'market.price_limit': [limit({ ceiling: '32400', floor: '21600' })] },
      offenders: [{ expected: '25110 to 28890', actual: '21600 to 32400' }],
    },
  ],
  silent: [{ when: 'there are no price limits', given: listed, note: /needs price limits/ }],
} satisfies RuleCase
