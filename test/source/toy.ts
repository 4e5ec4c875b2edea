import type { Day } from 'candlehouse-foundation/market/day'
import type { WalkEnd } from '../../src/land/journal.js'
import type { FetchedName, Window } from '../../src/plan/datasets.js'
import type { SourceKind, SourcePage, SourceWalk } from '../../src/source/source.js'

/** One day of one symbol, as this vendor keeps it: prices in thousands of dong, one line of text a day. */
const DAYS: Readonly<Record<Day, string>> = {
  '2025-06-26': 'AAA 10.1 1000|BBB 20.0 500|CCC 30.5 0',
  '2025-06-27': 'AAA 10.2 1100|BBB 20.4 400|CCC 30.5 0',
  '2025-06-30': 'AAA 10.3 1200|BBB 20.2 300|CCC 30.5 0',
}

/** Records of one page. */
const PAGE = 2

type Fields = Readonly<Record<string, string | null>>

function summariesOf(day: Day): Fields[] {
  const lines = DAYS[day]?.split('|') ?? []
  return lines.map((line) => {
    const [symbol = '', price = '', quantity = '0'] = line.split(' ')
    const close = String(Math.round(Number(price) * 1000))
    const traded = quantity === '0' ? '0' : close
    const value = String(Number(close) * Number(quantity))
    return {
      symbol,
      tradingDate: day,
      open: traded,
      high: traded,
      low: traded,
      close,
      average: traded,
      totalMatch: quantity,
      totalMatchValue: value,
      totalDeal: '0',
      totalDealValue: '0',
    }
  })
}

function indexOf(day: Day): Fields[] {
  const rows = summariesOf(day)
  if (rows.length === 0) return []
  const sum = (field: string): string =>
    String(rows.reduce((total, row) => total + Number(row[field] ?? 0), 0))
  const [trade, value] = [sum('totalMatch'), sum('totalMatchValue')]
  return [
    {
      tradingDate: day,
      indexValue: sum('close'),
      totalMatch: trade,
      totalMatchValue: value,
      totalTrade: trade,
      totalTradeValue: value,
      totalDeal: '0',
      totalDealValue: '0',
    },
  ]
}

/** All records of a window, in the names of the datasets' fields. */
function recordsOf({ dataset, key, from, to }: Window<FetchedName>): Fields[] {
  const days = Object.keys(DAYS).filter((day) => from <= day && day <= to)
  switch (dataset) {
    case 'securities':
      return key === 'HOSE'
        ? ['AAA', 'BBB', 'CCC'].map((symbol) => ({ symbol, board: 'HOSE', lotSize: '100' }))
        : []
    case 'indexes':
      return [{ index: 'TOY', indexName: 'Toy index', board: 'HOSE' }]
    case 'securitiesSummary':
      return days.flatMap(summariesOf).filter(({ symbol }) => key === '*' || symbol === key)
    case 'indexSummary':
      return days.flatMap(indexOf)
    default:
      throw new Error(`the toy was asked for ${dataset}`)
  }
}

function pageOf(records: readonly Fields[], number: number, end: WalkEnd | null, now: number): SourcePage {
  const body = Buffer.from(JSON.stringify(records))
  return {
    query: { page: String(number) },
    status: 200,
    attempts: 1,
    body,
    wire: undefined,
    receivedAt: now,
    rows: records.length,
    shape: records.length === 0 ? 'none' : 'array',
    fields: records[0] ? Object.keys(records[0]) : null,
    plain: false,
    end,
  }
}

/** What was asked of the toy, window by window. */
export const asked: string[] = []

/**
 * A second source: a vendor of daily figures without candles, price limits, members and accounts. It speaks no HTTP and knows no
 * client of a brokerage.
 */
export const toy: SourceKind = {
  datasets: ['securities', 'indexes', 'securitiesSummary', 'indexSummary'],
  pace: (requestsPerSecond) => ({ requestsPerSecond }),
  open: (_, effects) => ({
    windowWalk(window): SourceWalk {
      asked.push([window.dataset, window.key, window.from, window.to].join(' '))
      return {
        endpoint: window.dataset,
        query: { page: '1' },
        pageSize: PAGE,
        async *pages() {
          const records = recordsOf(window)
          const count = Math.max(1, Math.ceil(records.length / PAGE))
          const state = records.length === 0 ? 'empty' : 'complete'
          for (let page = 1; page <= count; page++) {
            const part = records.slice((page - 1) * PAGE, page * PAGE)
            yield pageOf(part, page, page === count ? { state, reason: null } : null, effects.now())
          }
        },
      }
    },
    partWalk: () => {
      throw new Error('the toy has no accounts')
    },
    isAnswering: async () => true,
    session: {
      ensure: async () => undefined,
      readsAccounts: false,
      isDowngraded: false,
      otpProblem: undefined,
      keepAlive: async () => undefined,
      logIn: async () => {
        throw new Error('the toy has no logins')
      },
      requestOtp: async () => '',
      refusalOfAccounts: async () => 'the toy has no accounts',
    },
    close: async () => undefined,
  }),
}
