/** Logs in, places an order and reads the book with a client that is generated from the sandbox's document alone. */
import createClient from 'openapi-fetch'
import type { components, paths } from './.generated/brokerage.d.ts'

declare const process: { argv: string[]; stdout: { write(text: string): boolean } }

const [, , baseUrl = '', apiKey = '', apiSecret = '', otp = ''] = process.argv
const headers = { 'content-type': 'application/json' }
const open = createClient<paths>({ baseUrl, headers })
const login = await open.POST('/api/v3/auth/token', { body: { apiKey, apiSecret, otp } })
if (!login.data || !('accessToken' in login.data)) throw new Error('the login was refused')
const client = createClient<paths>({
  baseUrl,
  headers: { ...headers, authorization: `Bearer ${login.data.accessToken}` },
})

const order: components['schemas']['NewOrder'] = {
  accountNo: '0881234561',
  symbol: 'FPT',
  side: 'B',
  orderType: 'LO',
  quantity: 100,
  price: '13000',
  deviceId: '00:1B:44:11:3A:B7',
}
const header = { 'X-Signature': 'sha256=00ff' }
const placed = await client.POST('/api/v3/trading/order', { params: { header }, body: order })
if (!placed.data) throw new Error(placed.error.msg)

const stop: components['schemas']['NewStop'] = {
  type: 'stop',
  accountNo: order.accountNo,
  deviceId: '00:1B:44:11:3A:B7',
  symbol: 'FPT',
  side: 'S',
  quantity: 100,
  stopPrice: 12_500,
  operator: 'lesser_or_equal',
}
// @ts-expect-error a stop without its operator is not a stop
const withoutOperator: components['schemas']['NewStop'] = { ...stop, operator: undefined }
void withoutOperator
const conditional = await client.POST('/api/v3/trading/fco/order', { params: { header }, body: stop })
if (!conditional.data) throw new Error(conditional.error.msg)

const query = { accountNo: order.accountNo, from: '2025-11-20' }
const book = await client.GET('/api/v3/trading/orderBook', { params: { query } })
const found = book.data?.data.orderList.find(({ orderId }) => orderId === placed.data.orderId)
if (found?.price !== '13000') throw new Error('the order is not in the book')
process.stdout.write(`${found.orderId} ${found.orderStatus}, conditional order ${conditional.data.fcoId}\n`)
