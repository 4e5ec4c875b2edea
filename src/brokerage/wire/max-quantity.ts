import { type Row, record } from './record.js'

/** How much an account may buy and sell, shares; `purchasingPower` in VND (docs/brokerage-api.md#maxbuysell). */
export const maxQuantity = record(['accountNo', 'maxBuyQty', 'marginRatio', 'maxSellQty', 'purchasingPower'])

export type MaxQuantity = Row<(typeof maxQuantity.fields)[number]>
