import { type Row, record } from './record.js'

/**
 * Price limits of a day, VND (docs/brokerage-api.md#masterdata). Live models write `board` for `exchange`
 * (docs/market-facts.md#board-or-exchange).
 */
export const masterData = record(['symbol', 'exchange', 'tradingDate', 'ceiling', 'floor', 'refPrice'], {
  board: 'exchange',
})

export type MasterData = Row<(typeof masterData.fields)[number]>
