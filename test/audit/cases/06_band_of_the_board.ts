import { limit, type RuleCase, security } from '../world.js'

const listed = { 'market.security': [security()] }

export default {
  rule: 6,
  holds: [
    {
      when: 'the band is 7 % on HOSE, rounded to ticks',
      given: { ...listed, 'market.price_limit': [limit()] },
    },
    {
      when: 'the band is 5 % on HOSE of 2009, as its rulebook says',
      on: '2009-03-13',
      given: {
        'market.price_limit': [limit({ trading_date: '2009-03-13', ceiling: '28300', floor: '25700' })],
      },
    },
    {
      when: 'futures on bonds have a band of 3 %, on indexes 7 %',
      given: {
        'market.price_limit': [
          { symbol: 'GB05F2506', ref_price: '110000', ceiling: '113300', floor: '106700' },
          { symbol: 'VN30F2504', ref_price: '1350', ceiling: '1444.5', floor: '1255.5' },
        ].map((band) => limit({ ...band, exchange: 'HNX' })),
      },
    },
    {
      when: 'a name of UPCOM has the band after long idleness, which is common there',
      given: {
        'market.price_limit': [limit({ exchange: 'UPCOM', ceiling: '37800', floor: '16200' })],
      },
    },
  ],
  breaks: [],
  flags: [
    {
      when: 'the band is 20 %, as after 25 idle sessions',
      given: { ...listed, 'market.price_limit': [limit({ ceiling: '32400', floor: '21600' })] },
      offenders: [{ expected: '25110 to 28890', actual: '21600 to 32400' }],
    },
    {
      when: 'the band of a name of UPCOM is neither that of its board nor that after long idleness',
      given: { 'market.price_limit': [limit({ exchange: 'UPCOM', ceiling: '28900', floor: '25100' })] },
      offenders: [{ expected: '22950 to 31050', actual: '25100 to 28900' }],
    },
  ],
  silent: [{ when: 'there are no price limits', given: listed, note: /needs price limits/ }],
} satisfies RuleCase
