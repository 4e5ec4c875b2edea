// The market data endpoints.

import { type Answer, type Call, invalid, param, required } from './answer.js'
import { candles } from './candles.js'
import { readDate, slashed } from './dates.js'
import { listed, paged, pagedOhlc } from './page.js'

const BOARDS = ['HOSE', 'HNX', 'UPCOM']

const board = (call: Call): string | undefined => {
  const value = param(call, 'board')
  if (value !== undefined && !BOARDS.includes(value)) throw invalid('board is invalid')
  return value
}

const date = (text: string, name: string): string => {
  const day = readDate(text)
  if (day === undefined) throw invalid(`${name} is invalid`)
  return day
}

/** A deployment may refuse what lies before its data. */
const requireData = (call: Call, day: string): void => {
  const first = slashed(call.market.sessions[0] ?? '')
  if (call.options.beforeData === 'refuse' && day < first) throw invalid('No data before the given date')
}

const membersOf = (call: Call, index: string): Set<string> =>
  new Set(Object.hasOwn(call.market.members, index) ? call.market.members[index] : [])

const securitiesByBoard = (call: Call): Answer => {
  const given = ['symbol', 'board', 'index'].filter((name) => param(call, name) !== undefined)
  if (given.length > 1) throw invalid('supply only one of symbol, board, index')
  const [symbol, onBoard, index] = [param(call, 'symbol'), board(call), param(call, 'index')]
  const members = index === undefined ? undefined : membersOf(call, index)
  return listed(
    call,
    'securitiesByBoard',
    call.market.securities.filter(
      (row) =>
        (symbol === undefined || row.symbol === symbol) &&
        (onBoard === undefined || row.board === onBoard) &&
        (!members || members.has(row.symbol)),
    ),
  )
}

const securitiesSummary = (call: Call): Answer => {
  const [symbol, index] = [param(call, 'symbol'), param(call, 'index')]
  if (symbol !== undefined && index !== undefined) throw invalid('supply only one of symbol, index')
  const from = date(required(call, 'from'), 'from')
  const to = date(required(call, 'to'), 'to')
  if (to < from) throw invalid('to must be greater than or equal to from')
  requireData(call, from)
  const open = symbol === undefined && index === undefined
  if (open && call.options.summaryWithoutFilter === 'refuse') throw invalid('symbol or index is required')
  const members = index === undefined ? undefined : membersOf(call, index)
  const rows = call.market.summaries.filter(
    (row) =>
      row.tradingDate >= from &&
      row.tradingDate <= to &&
      row.tradingDate <= call.today &&
      (symbol === undefined || row.symbol === symbol) &&
      (!members || members.has(row.symbol)),
  )
  const withheld = open && call.options.summaryWithoutFilter === 'empty'
  return paged(call, 'securitiesSummary', withheld ? [] : rows)
}

const latest = (call: Call, rows: { tradingDate: string }[]): string => {
  const days = rows.map((row) => row.tradingDate).filter((day) => day <= call.today)
  return days.sort().at(-1) ?? ''
}

const indexSummary = (call: Call): Answer => {
  const [onBoard, index] = [board(call), param(call, 'index')]
  if ((onBoard === undefined) === (index === undefined)) throw invalid('supply exactly one of board, index')
  const asked = param(call, 'tradingDate')
  const truths = call.market.indexSummaries
  const day = asked === undefined ? latest(call, truths) : date(asked, 'tradingDate')
  requireData(call, day)
  const codes = new Set(
    call.market.indexes
      .filter((one) => (index ?? one.index) === one.index && (onBoard ?? one.board) === one.board)
      .map((one) => one.index),
  )
  const rows = truths.filter(
    (row) => codes.has(row.index) && row.tradingDate === day && row.tradingDate <= call.today,
  )
  // The record does not say which index it is about.
  return listed(
    call,
    'indexSummary',
    rows.map(({ index: _unsaid, ...row }) => row),
  )
}

const indexList = (call: Call): Answer => {
  const onBoard = board(call)
  return listed(
    call,
    'indexList',
    call.market.indexes.filter((row) => (onBoard ?? row.board) === row.board),
  )
}

const masterdata = (call: Call): Answer => {
  const truths = call.market.masterdata
  const [asked, until] = [param(call, 'from'), param(call, 'to')]
  const absent = asked === undefined && until === undefined ? latest(call, truths) : undefined
  const from = absent ?? (asked === undefined ? '' : date(asked, 'from'))
  const to = absent ?? (until === undefined ? call.today : date(until, 'to'))
  if (asked !== undefined) requireData(call, from)
  if (to < from) throw invalid('to must be greater than or equal to from')
  const rows = truths.filter(
    (row) => row.tradingDate >= from && row.tradingDate <= to && row.tradingDate <= call.today,
  )
  return paged(call, 'masterdata', rows)
}

export const marketRoutes: Record<string, (call: Call) => Answer> = {
  '/api/v3/data/securitiesByBoard': securitiesByBoard,
  '/api/v3/data/securitiesSummary': securitiesSummary,
  '/api/v3/data/indexSummary': indexSummary,
  '/api/v3/data/indexList': indexList,
  '/api/v3/data/masterdata': masterdata,
  '/api/v3/data/ohlc': (call) => pagedOhlc(call, candles(call)),
}
