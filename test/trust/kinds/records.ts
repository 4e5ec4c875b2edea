import type { Wire } from '../proxy.js'
import { any, onDay, type Target, text, type Where } from './mutation.js'

export const summaryOf =
  (symbols: (target: Target) => readonly string[]): Where =>
  (target, random) => {
    const symbol = any(symbols(target), random)
    return ({ endpoint, records }) =>
      endpoint === 'securitiesSummary'
        ? records.filter((record) => record.symbol === symbol && onDay(target.day)(record))
        : []
  }
export const stockSummary = summaryOf(({ stocks }) => stocks)
export const futureSummary = summaryOf(({ future }) => [future])

export const limitOf: Where = (target, random) => {
  const symbol = any(target.stocks, random)
  return ({ endpoint, records }) =>
    endpoint === 'masterdata'
      ? records.filter((record) => record.symbol === symbol && onDay(target.day)(record))
      : []
}

export const minuteOf: Where = (target, random) => {
  const symbol = any(target.stocks, random)
  let chosen: string | undefined
  return ({ endpoint, query, records }) => {
    if (endpoint !== 'ohlc' || query.symbol !== symbol || query.timeFrame !== '1m') return []
    const mine = records.filter(onDay(target.day))
    chosen ??= text(any(mine, random) ?? {}, 'tradingDate')
    return mine.filter((record) => record.tradingDate === chosen)
  }
}

export const indexOf: Where = (target, random) => {
  const index = any(target.indexes, random)
  return ({ endpoint, query, records }) =>
    endpoint === 'indexSummary' && query.index === index ? records.filter(onDay(target.day)) : []
}
export const boardIndexOf: Where = (target, random) => {
  const index = any(
    target.indexes.filter((name) => /^(VNINDEX|HNXINDEX|UPCOMINDEX)$/i.test(name)),
    random,
  )
  return ({ endpoint, query, records }) =>
    endpoint === 'indexSummary' && query.index === index ? records.filter(onDay(target.day)) : []
}

export type Body = Wire & { equity?: Wire; data?: Wire & { equity?: Wire[]; derivative?: Wire } }

/** The cash or the margin account: a field of one may be zero. */
export const anyEquity =
  (endpoint: string): Where =>
  (target, random) =>
    side(endpoint, 'equity', random() < 0.5 ? 0 : 1)(target, random)

export const side =
  (endpoint: string, name: 'equity' | 'derivative', account: 0 | 1 | 2): Where =>
  (target) =>
  (passing) => {
    if (passing.endpoint !== endpoint || passing.query.accountNo !== target.accounts[account]) return []
    const part = (passing.body as Body)[name] as Wire | undefined
    return part ? [part] : []
  }

export const holding =
  (account: 0 | 1): Where =>
  (target, random) => {
    let chosen: string | undefined
    return ({ endpoint, query, records }) => {
      if (endpoint !== 'position' || query.accountNo !== target.accounts[account]) return []
      chosen ??= text(any(records, random) ?? {}, 'symbol')
      return records.filter((record) => record.symbol === chosen)
    }
  }

export const contracts: Where =
  (target) =>
  ({ endpoint, query, records }) =>
    endpoint === 'position' && query.accountNo === target.accounts[2] && query.querySummary !== 'false'
      ? records.slice(0, 1)
      : []

/** The last order of the session that was filled. */
export const filled =
  (account: 0 | 1 | 2): Where =>
  (target) =>
  ({ endpoint, query, records }) =>
    endpoint === 'orderBook' && query.accountNo === target.accounts[account]
      ? records
          .filter(
            (record) =>
              Number(record.filledQty) > 0 && text(record, 'inputTime').includes(target.day.slice(8)),
          )
          .slice(-1)
      : []

export const PRICES = 'open high low close'
