import { limit, type RuleCase } from '../world.js'

export default {
  rule: 40,
  holds: [
    { when: 'limits are a percentage around the reference', given: { 'market.price_limit': [limit()] } },
    {
      when: 'a warrant at one tick cannot fall',
      given: {
        'market.price_limit': [limit({ symbol: 'CHPG2401', floor: '10', ref_price: '10', ceiling: '60' })],
      },
    },
    {
      when: 'the floor is cut off at one tick',
      given: {
        'market.price_limit': [limit({ symbol: 'CHPG2401', floor: '10', ref_price: '60', ceiling: '210' })],
      },
    },
    {
      when: 'the sides differ by two ticks of the board',
      given: {
        'market.price_limit': [
          limit({ symbol: 'SHS', exchange: 'HNX', floor: '3800', ref_price: '4200', ceiling: '4800' }),
        ],
      },
    },
  ],
  breaks: [
    {
      when: 'the reference is above the ceiling',
      given: { 'market.price_limit': [limit({ ref_price: '28900' })] },
      offenders: [{ relation: 'market.price_limit', expected: 'around 28900', actual: '25150 to 28850' }],
    },
    {
      when: 'the floor is the reference',
      given: { 'market.price_limit': [limit({ floor: '27000' })] },
      offenders: [{ actual: '27000 to 28850', residual: '1850.0000' }],
    },
  ],
  flags: [
    {
      when: 'the sides of a share of low price differ by more than two of its own ticks',
      given: {
        'market.price_limit': [limit({ floor: '4650', ref_price: '5000', ceiling: '5410' })],
      },
      offenders: [{ residual: '60.0000' }],
    },
    {
      when: 'it may rise further than fall',
      given: { 'market.price_limit': [limit({ ceiling: '30000' })] },
      offenders: [{ actual: '25150 to 30000', residual: '1150.0000' }],
    },
    {
      when: 'a future may rise further than fall',
      given: {
        'market.price_limit': [
          limit({ symbol: 'VN30F2504', floor: '1255.5', ref_price: '1350', ceiling: '1484.5' }),
        ],
      },
      offenders: [{ residual: '40.0000' }],
    },
  ],
  silent: [
    {
      when: 'the reference is missing, as null or zero',
      given: { 'market.price_limit': [limit({ ref_price: null }), limit({ symbol: 'VCB', ref_price: '0' })] },
      note: /needs price limits above zero/,
    },
  ],
} satisfies RuleCase
