import { type Row, record } from './record.js'

/** An account (docs/brokerage-api.md#accountinfo): `accountType` is CASH, MARGIN or DERIVATIVE. */
export const account = record(['accountNo', 'accountType'])

export type Account = Row<(typeof account.fields)[number]>
