import { createPublicKey, createSign } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { EARLY_DAY } from '../../../test/support/early-day.js'
import { PKCS8 } from '../../client/test/support/signing-key.js'
import { type Caller, caller } from './caller.js'

const ORDER = '/api/v3/trading/order'
const FCO = '/api/v3/trading/fco/order'
const CASH = '0881234561'
const INVALID = { code: '400', msg: 'Invalid request' }
const order = { accountNo: CASH, symbol: 'FPT', side: 'B', orderType: 'LO', quantity: 100, deviceId: 'd' }

let api: Caller
let floor: string
let close: number
beforeAll(async () => {
  api = await caller({ date: EARLY_DAY, at: '09:30', drive: true }, { otp: true })
  const { body } = await api.get('/api/v3/data/masterdata', { pageSize: '200' })
  floor = String(body.data.find(({ symbol }) => symbol === 'FPT')?.floor)
  close = Number(body.data.find(({ symbol }) => symbol === 'FPT')?.refPrice)
})
afterAll(() => api.close())

const clock = (by: object) => api.post('/sandbox/clock', by)
const book = async (orderId: unknown) => {
  const { body } = await api.get('/api/v3/trading/orderBook', { accountNo: CASH, pageSize: '100' })
  const { orderList } = body.data as unknown as { orderList: Record<string, string>[] }
  return orderList.find((row) => row.orderId === orderId)
}

describe('ordinary orders over the wire', () => {
  it('are placed, changed and cancelled; missing identifiers are generated', async () => {
    const placed = await api.send('POST', ORDER, { ...order, price: floor })
    expect(placed.status).toBe(200)
    expect(Object.keys(placed.body)).toEqual([
      'clientRequestId',
      'orderId',
      'orderStatus',
      'clientModifyId',
      'clientCancelId',
    ])
    const { orderId, clientRequestId } = placed.body as unknown as Record<string, string>
    expect([placed.body.orderStatus, clientRequestId]).toEqual(['PD', `C${orderId}`])
    await clock({ byMs: 1_000 })
    expect(await book(orderId)).toMatchObject({ orderStatus: 'QU', price: floor, quantity: '100' })
    const changed = await api.send('PUT', ORDER, { accountNo: CASH, orderId, quantity: 200 })
    expect([changed.body.orderStatus, changed.body.clientModifyId]).toEqual(['WM', `M${orderId}`])
    await clock({ byMs: 1_000 })
    expect(await book(orderId)).toMatchObject({ orderStatus: 'QU', quantity: '200' })
    const gone = await api.send('DELETE', ORDER, { accountNo: CASH, clientRequestId, clientCancelId: 'mine' })
    expect([gone.body.orderStatus, gone.body.clientCancelId]).toEqual(['WC', 'mine'])
    await clock({ byMs: 1_000 })
    expect(await book(orderId)).toMatchObject({ orderStatus: 'CL', cancelQty: '200' })
  })

  it.each<[string, 'POST' | 'PUT' | 'DELETE', object, string]>([
    ['an unknown account', 'POST', { ...order, accountNo: '1' }, 'Invalid request'],
    ["another client's account", 'POST', { ...order, accountNo: '0992345671' }, 'Invalid request'],
    ['a limit without a price', 'POST', order, 'Price is required'],
    ['a price as a number', 'POST', { ...order, price: 1 }, 'Invalid request'],
    ['no side', 'POST', { ...order, side: undefined }, 'Invalid request'],
    ['a type that no exchange has', 'POST', { ...order, orderType: 'FOK' }, 'Invalid request'],
    [
      'a type of another board',
      'POST',
      { ...order, orderType: 'PLO' },
      'Order type is not traded on this board',
    ],
    ['a quantity as text', 'POST', { ...order, quantity: '100' }, 'Invalid request'],
    ['a cancel of nothing', 'DELETE', { accountNo: CASH }, 'clientRequestId or orderId is required'],
    [
      'a change of nothing',
      'PUT',
      { accountNo: CASH, quantity: 1 },
      'clientRequestId or orderId is required',
    ],
    ['a cancel of an unknown order', 'DELETE', { accountNo: CASH, orderId: 'x' }, 'Order is unknown'],
  ])('are refused with code 400 as text: %s', async (_, method, body, msg) => {
    const answered = await api.send(method, ORDER, body)
    expect([answered.status, answered.body]).toEqual([400, { code: '400', msg }])
  })

  it('need a signature', async () => {
    const body = { ...order, price: floor }
    const unsigned = await api.send('POST', ORDER, body, { 'x-signature': '' })
    expect([unsigned.status, unsigned.body.msg]).toEqual([400, 'X-Signature is required'])
    expect((await api.send('POST', ORDER, body, { 'x-signature': 'not hex!' })).status).toBe(401)
    expect((await api.send('POST', ORDER, '{', {})).body).toEqual(INVALID)
  })
})

describe('with a public key, a signature', () => {
  const publicKey = createPublicKey(PKCS8)
  const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString()
  const jwk = publicKey.export({ format: 'jwk' })
  const base64 = (text = '') => Buffer.from(text, 'base64url').toString('base64')
  const xml = `<RSAKeyValue><Modulus>${base64(jwk.n)}</Modulus><Exponent>${base64(jwk.e)}</Exponent></RSAKeyValue>`
  const body = JSON.stringify({ ...order, accountNo: 'none', note: 'giá' })
  const sign = (data: string, form: 'hex' | 'base64') => createSign('sha256').update(data).sign(PKCS8, form)

  it.each([
    ['PEM', pem],
    ['PEM in base64', Buffer.from(pem).toString('base64')],
    ['.NET XML', xml],
  ])('is verified over the exact body in every form: %s', async (_, key) => {
    const signed = await caller({ date: EARLY_DAY, at: '09:30', publicKey: key }, { otp: true })
    const secret = signed.sandbox.apiSecret
    const of = async (header: string, sent = body) =>
      (await signed.send('POST', ORDER, sent, { 'x-signature': header })).status
    // 400: the signature was right, and the account is none.
    expect(await of(sign(body, 'hex'))).toBe(400)
    expect(await of(`sha256=${sign(body, 'hex')}`)).toBe(400)
    expect(await of(sign(body, 'base64'))).toBe(400)
    expect(await of(`sha256=${sign(secret + body, 'hex')}`)).toBe(400)
    expect(await of(sign(`${body} `, 'hex'))).toBe(401)
    expect(await of(sign(body, 'hex'), `${body} `)).toBe(401)
    expect(await of('00ff')).toBe(401)
    await signed.close()
  })
})

describe('conditional orders over the wire', () => {
  const stop = {
    accountNo: CASH,
    deviceId: 'd',
    symbol: 'FPT',
    side: 'S',
    type: 'stop',
    quantity: 100,
    price: null,
    operator: 'lesser_or_equal',
  }

  it('are placed, listed, shown with their history and cancelled', async () => {
    const placed = await api.send('POST', FCO, { ...stop, stopPrice: 1_000 })
    const fcoId = String(placed.body.fcoId)
    expect([placed.status, Object.keys(placed.body)]).toEqual([200, ['fcoId']])
    const { body } = await api.get('/api/v3/trading/fco/list', {
      accountNo: CASH,
      processStatus: 'WAIT',
      fcoId,
    })
    expect(body.fcoList).toMatchObject([
      {
        fcoId,
        status: 'WAIT',
        type: 'stop',
        params: { stopPrice: 1_000, side: 'S', operator: 'lesser_or_equal' },
      },
    ])
    expect((await api.send('DELETE', FCO, { fcoId })).body).toEqual({ fcoId })
    const history = await api.get('/api/v3/trading/fco/statusHistory', { fcoId })
    expect(history.body.data.map(({ state }) => state)).toEqual(['INIT', 'WAIT', 'TER'])
    expect((await api.send('DELETE', FCO, { fcoId })).status).toBe(400)
  })

  it('send their child order when the market comes there', async () => {
    const placed = await api.send('POST', FCO, { ...stop, stopPrice: close * 2 })
    const fcoId = String(placed.body.fcoId)
    await clock({ byMs: 30 * 60_000 })
    const { body } = await api.get('/api/v3/trading/fco/list', { accountNo: CASH, fcoId })
    expect(body.fcoList).toMatchObject([{ isPlaceOrder: true, status: 'FIS', matchedQuantity: 100 }])
  })

  it.each([
    ['no deviceId', { ...stop, stopPrice: 1, deviceId: undefined }, 'Invalid request'],
    ['no stopPrice', stop, 'stopPrice is required'],
    ['an unknown operator', { ...stop, stopPrice: 1, operator: '>' }, 'Invalid request'],
    ['a date of another form', { ...stop, stopPrice: 1, to: '2025-12-12' }, 'Invalid request'],
    ['32 days', { ...stop, stopPrice: 1, to: '2026/01/12 09:30:00' }, 'Validity is longer than 31 days'],
  ])('are refused: %s', async (_, body, msg) => {
    const answered = await api.send('POST', FCO, body)
    expect([answered.status, answered.body]).toEqual([400, { code: '400', msg }])
  })

  it('take a code where the token was not verified with an OTP', async () => {
    const plain = await caller({ date: EARLY_DAY, at: '09:30' })
    const body = { ...stop, stopPrice: 1_000 }
    expect((await plain.send('POST', FCO, body)).status).toBe(403)
    expect((await plain.send('POST', FCO, { ...body, code: '0000' })).status).toBe(403)
    const placed = await plain.send('POST', FCO, { ...body, code: plain.sandbox.otp })
    expect(placed.status).toBe(200)
    expect((await plain.send('POST', ORDER, { ...order, price: '1' })).status).toBe(403)
    expect((await plain.get('/api/v3/trading/fco/list', { accountNo: CASH })).status).toBe(403)
    await plain.close()
  })
})
