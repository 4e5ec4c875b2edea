import type { FastifyInstance } from 'fastify'
import { DEMO_API_KEY, DEMO_API_SECRET, DEMO_OTP, type SandboxOptions } from '../../options.js'
import type { WireExample, WireExamples } from './api-document.js'

/** The market and the morning that examples are of. */
export const EXAMPLE_OPTIONS: SandboxOptions = { date: '2025-11-20', at: '10:00', drive: true }

const ACCOUNT = '0881234561'
const DEVICE = '00:1B:44:11:3A:B7'
const DAYS = 'from=2025/11/18&to=2025/11/19'
const [DATA, TRADING] = ['/api/v3/data', '/api/v3/trading']
const PAIR = {
  tpActivePrice: 13_900,
  tpPrice: '13900',
  tpSlip: 0,
  slActivePrice: 12_500,
  slPrice: 'MTL',
  slSlip: 0,
}

/** Reads that need nothing before them: operation and address. */
const READS = [
  ['securitiesByBoard', `${DATA}/securitiesByBoard?symbol=FPT`],
  ['securitiesSummary', `${DATA}/securitiesSummary?symbol=FPT&${DAYS}`],
  ['indexSummary', `${DATA}/indexSummary?index=VN30&tradingDate=2025/11/19`],
  ['indexList', `${DATA}/indexList?board=HNX`],
  ['masterdata', `${DATA}/masterdata?from=2025/11/19&to=2025/11/19&pageSize=2`],
  ['ohlc', `${DATA}/ohlc?symbol=FPT&from=2025-11-18&to=2025-11-19`],
  ['accountInfo', '/api/v3/account/info'],
  ['accountBalance', `${TRADING}/accountBalance?accountNo=${ACCOUNT}`],
  ['ppmmrAccount', `${TRADING}/ppmmrAccount?accountNo=0881234566`],
  ['position', `${TRADING}/position?accountNo=${ACCOUNT}`],
  ['maxBuySell', `${TRADING}/maxBuySell?accountNo=${ACCOUNT}&symbol=FPT&price=13000`],
] as const

/** Reads that are refused: by what they have, without a token, and with one that was not verified. */
const REFUSED_READ = `${DATA}/ohlc?symbol=FPT&from=2025-11-20&to=2025-11-19`

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
interface Sent {
  readonly method?: Method
  readonly body?: unknown
  readonly token?: string
}

/** Asks a sandbox of its own what every operation answers. Nothing here is typed by hand but the questions. */
export async function wireExamples(app: FastifyInstance): Promise<WireExamples> {
  const examples = new Map<string, WireExample>()
  const ask = async (url: string, { method = 'GET', body, token }: Sent) => {
    const { statusCode, payload } = await app.inject({
      method,
      url,
      headers: {
        'content-type': 'application/json',
        'x-signature': 'sha256=00ff',
        ...(token ? { authorization: `Bearer ${token}` } : {}),
      },
      ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
    })
    return { status: String(statusCode), answer: JSON.parse(payload) as Record<string, unknown> }
  }
  const show = async (operation: string, url: string, sent: Sent) => {
    const { status, answer } = await ask(url, sent)
    if (status !== '200') throw new Error(`the example of ${operation} was answered with ${status}`)
    examples.set(operation, { request: sent.body, answers: new Map([[status, answer]]) })
    return answer
  }
  const credentials = { apiKey: DEMO_API_KEY, apiSecret: DEMO_API_SECRET }
  const market = (await ask('/api/v3/auth/token', { method: 'POST', body: credentials })).answer.accessToken
  const unverified = await ask(READS[6][1], { token: String(market) })
  const login = await show('token', '/api/v3/auth/token', {
    method: 'POST',
    body: { ...credentials, otp: DEMO_OTP },
  })
  const renewed = await show('refresh', '/api/v3/auth/refresh', {
    method: 'POST',
    body: { refreshToken: login.refreshToken },
  })
  await show('requestOtp', '/api/v3/auth/requestOtp', { method: 'POST', body: credentials })
  const token = String(renewed.accessToken)
  for (const [operation, url] of READS) await show(operation, url, { token })
  await showOrders(show, token)
  await showConditionals(show, token)
  await show('showClock', '/sandbox/clock', {})
  await show('moveClock', '/sandbox/clock', { method: 'POST', body: { byMs: 60_000 } })
  await show('payCash', '/sandbox/cash', { method: 'POST', body: { accountNo: ACCOUNT, amount: 1_000_000 } })
  const fault = { route: '/ohlc', nth: 2, fault: { kind: 'status', status: 503 } }
  await show('replaceFaults', '/sandbox/faults', { method: 'POST', body: { faults: [fault] } })
  await show('showFaults', '/sandbox/faults', {})
  await show('removeFaults', '/sandbox/faults', { method: 'DELETE' })
  const refusals = [await ask(REFUSED_READ, { token }), await ask(REFUSED_READ, {}), unverified]
  return withRefusals(examples, refusals)
}

type Show = (operation: string, url: string, sent: Sent) => Promise<Record<string, unknown>>

async function showOrders(show: Show, token: string): Promise<void> {
  const [path, accountNo, deviceId] = [`${TRADING}/order`, ACCOUNT, DEVICE]
  const order = {
    accountNo,
    symbol: 'FPT',
    side: 'B',
    orderType: 'LO',
    quantity: 100,
    price: '13000',
    deviceId,
  }
  const { orderId } = await show('placeOrder', path, { method: 'POST', body: order, token })
  // It needs a moment to reach the exchange; before that it cannot be changed.
  await show('moveClock', '/sandbox/clock', { method: 'POST', body: { byMs: 500 } })
  await show('changeOrder', path, {
    method: 'PUT',
    body: { accountNo, orderId, quantity: 200, deviceId },
    token,
  })
  await show('moveClock', '/sandbox/clock', { method: 'POST', body: { byMs: 500 } })
  await show('orderBook', `${path}Book?accountNo=${accountNo}&from=2025-11-20&pageSize=2`, { token })
  await show('cancelOrder', path, { method: 'DELETE', body: { accountNo, orderId, deviceId }, token })
}

async function showConditionals(show: Show, token: string): Promise<void> {
  const [path, accountNo] = [`${TRADING}/fco`, ACCOUNT]
  const order = { accountNo, deviceId: DEVICE, symbol: 'FPT', side: 'S', quantity: 100, price: null }
  const write = (operation: string, method: Method, body: unknown) =>
    show(operation, `${path}/order`, { method, body, token })
  await write('placeConditionalOrder', 'POST', { ...order, type: 'oco', ...PAIR })
  const stop = { ...order, type: 'stop', stopPrice: 12_500, operator: 'lesser_or_equal' }
  const { fcoId } = await write('placeConditionalOrder', 'POST', stop)
  await show('fcoList', `${path}/list?accountNo=${accountNo}&pageSize=2`, { token })
  await write('cancelConditionalOrder', 'DELETE', { fcoId, deviceId: DEVICE })
  await show('fcoStatusHistory', `${path}/statusHistory?fcoId=${String(fcoId)}`, { token })
}

/** The errors of one endpoint stand for those of all whose errors have the same form. */
function withRefusals(
  examples: ReadonlyMap<string, WireExample>,
  refusals: readonly { status: string; answer: unknown }[],
): WireExamples {
  const ofRefusals = refusals.map(({ status, answer }) => [status, answer] as const)
  return new Map(
    [...examples].map(([operation, { request, answers }]) => [
      operation,
      { request, answers: new Map([...(operation === 'requestOtp' ? [] : ofRefusals), ...answers]) },
    ]),
  )
}
