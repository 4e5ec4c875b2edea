import { type Row, record } from './record.js'

/** Price limits of a day, VND (spec, Master data record). Live models write `board` for `exchange` (field notes §1). */
export const masterData = record(['symbol', 'exchange', 'tradingDate', 'ceiling', 'floor', 'refPrice'], {
  board: 'exchange',
})

export type MasterData = Row<(typeof masterData.fields)[number]>
