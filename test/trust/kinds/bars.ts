import { any, type Mutation, onDay, plain, text } from './mutation.js'
import { limitOf, PRICES } from './records.js'

/** Bars at other times and at other prices, and limits that do not fit them. */
export const bars: Mutation[] = [
  ...(
    [
      ['bars are seven hours early: UTC for local time', -7 * 60],
      ['bars are an hour late', 60],
      ['bars are a minute late', 1],
    ] as const
  ).map(
    ([name, minutes]): Mutation => ({
      name: `1m: ${name}`,
      make: (target, random) => {
        const symbol = any(target.stocks, random)
        return ({ endpoint, query, records }) => {
          if (endpoint !== 'ohlc' || query.symbol !== symbol || query.timeFrame !== '1m') return false
          for (const record of records) record.tradingDate = shifted(text(record, 'tradingDate'), minutes)
          return records.length > 0
        }
      },
    }),
  ),
  ...(
    [
      ['all prices ×10', (value: string) => plain(Number(value) * 10)],
      ['all prices halved: adjusted for a split', (value: string) => plain(Number(value) / 2)],
    ] as const
  ).flatMap(([name, by]): Mutation[] => [
    {
      name: `1m: ${name}`,
      make: (target, random) => {
        const symbol = any(target.stocks, random)
        return ({ endpoint, query, records }) => {
          if (endpoint !== 'ohlc' || query.symbol !== symbol || query.timeFrame !== '1m') return false
          for (const record of records)
            for (const field of PRICES.split(' ')) record[field] = by(text(record, field))
          return records.length > 0
        }
      },
    },
  ]),
  {
    name: 'limits: all reference prices of the session are 3 % too low',
    make:
      ({ day }) =>
      ({ endpoint, records }) => {
        if (endpoint !== 'masterdata') return false
        const mine = records.filter(onDay(day))
        for (const record of mine) record.refPrice = plain(Math.round(Number(record.refPrice) * 0.97))
        return mine.length > 0
      },
  },
  {
    name: 'limits: another board for one symbol',
    make: (target, random) => {
      const of = limitOf(target, random)
      return (passing) => {
        const mine = of(passing)
        for (const record of mine) record.exchange = record.exchange === 'HOSE' ? 'HNX' : 'HOSE'
        return mine.length > 0
      }
    },
  },
]

function shifted(stamp: string, minutes: number): string {
  const at = Date.parse(`${stamp.replaceAll('/', '-').replace(' ', 'T')}Z`) + minutes * 60_000
  const iso = new Date(at).toISOString()
  return `${iso.slice(0, 10).replaceAll('-', '/')} ${iso.slice(11, 19)}`
}
