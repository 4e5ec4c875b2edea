/**
 * The sandbox's pages of one-minute candles, beside JSON.stringify of the same rows, in one run: `make bench`. A page has its
 * request, its bars and its bytes; JSON.stringify has rows that were there.
 */

import { openBroker } from '../../packages/sandbox/src/broker/open-broker.js'
import { world } from '../../packages/sandbox/src/market/world/world.js'
import { buildServer } from '../../packages/sandbox/src/service/server.js'
import { systemEffects } from '../../src/effects.js'
import { median, record } from './results.js'

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5)
const FULL_PAGES = 200
const SHORT_PAGES = 400
const SYMBOLS = ['FPT', 'HPG', 'ACB', 'VNM', 'MBB', 'TCB', 'SSI', 'VIC', 'MWG', 'CTG', 'BID', 'STB']
const JSON_TYPE = { 'content-type': 'application/json' }

async function cpuOf(work: () => Promise<void> | void): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1e6
}

const app = await buildServer({ date: '2025-11-20' }, systemEffects, () => undefined)
const login = await app.inject({
  method: 'POST',
  url: '/api/v3/auth/token',
  headers: JSON_TYPE,
  payload: JSON.stringify({ apiKey: 'sandbox-key', apiSecret: 'sandbox-secret' }),
})
const headers = { ...JSON_TYPE, authorization: `Bearer ${String(login.json().accessToken)}` }

async function page(number: number, range: string): Promise<string> {
  const symbol = SYMBOLS[number % SYMBOLS.length]
  const url = `/api/v3/data/ohlc?symbol=${symbol}&timeFrame=1m&pageSize=1000&${range}`
  const { statusCode, body } = await app.inject({ url, headers })
  if (statusCode !== 200) throw new Error(body)
  return body
}

const full = (number: number) =>
  page(number, `from=2025-01-02&to=2025-11-20&pageIndex=${1 + (Math.floor(number / SYMBOLS.length) % 40)}`)
const short = (number: number) => page(number, 'from=2025-11-20&to=2025-11-20')

async function pages(count: number, one: (number: number) => Promise<string>): Promise<void> {
  for (let number = 0; number < count; number++) await one(number)
}

const parsed = JSON.parse(await full(0)) as { data: unknown[] }
await pages(FULL_PAGES, full)
const spent: { full: number; floor: number; short: number }[] = []
for (let round = 1; round <= ROUNDS; round++) {
  const floor = await cpuOf(() => {
    for (let number = 0; number < FULL_PAGES; number++) JSON.stringify(parsed)
  })
  const fullPages = await cpuOf(() => pages(FULL_PAGES, full))
  const shortPages = await cpuOf(() => pages(SHORT_PAGES, short))
  const broker = await cpuOf(() => {
    const market = world('demo', round + 1)
    const now = Date.parse('2025-11-20T11:00:00Z')
    const parts = { world: market, now, session: market.time.at('2025-11-20') }
    openBroker({ ...parts, dialect: 'spec', trade: false, ongoing: false })
  })
  const rows = FULL_PAGES * parsed.data.length
  spent.push({ full: rows / fullPages, floor: rows / floor, short: SHORT_PAGES / shortPages })
  process.stdout.write(
    `round ${round}: full pages ${Math.round(rows / fullPages)} rows per CPU-s, JSON.stringify ${Math.round(rows / floor)}; ` +
      `short pages ${Math.round(SHORT_PAGES / shortPages)} per CPU-s; accounts opened in ${Math.round(broker * 1000)} CPU-ms; ` +
      `ratio ${(fullPages / floor).toFixed(2)}\n`,
  )
}
await app.close()
const each = (name: 'full' | 'floor' | 'short'): number => Math.round(median(spent.map((one) => one[name])))
record({
  what: 'sandbox: full pages of 1m candles',
  ours: `${each('full')} rows per CPU-s, and ${each('short')} short pages per CPU-s`,
  beside: `JSON.stringify of the same rows ${each('floor')}`,
  ratio: median(spent.map(({ full, floor }) => floor / full)),
})
