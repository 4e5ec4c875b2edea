import { dataOf, isEmpty, NotEvaluable, objectOf, type Row, rowsOf } from './check.js'
import { dayOf, numberOf } from './fields.js'
import type { Probe } from './probe.js'

const DATA = '/api/v3/data'
/** Shares that are looked at for one whose price is far enough above its floor: the band of HOSE is 7 % wide. */
const CANDIDATES = 8
const ABOVE_FLOOR = 1.03

/** What the checks are about, asked of the service itself: nothing here knows one deployment from another. */
export const found = {
  /** Trading date of the latest price limits, as `YYYY/MM/DD`. */
  day: (probe: Probe): Promise<string> =>
    probe.once('day', async () => {
      const rows = await rowsAt(probe, 'masterdata', {})
      return required(/^\d{4}\/\d\d\/\d\d$/.exec(dayOf(rows[0]?.tradingDate))?.[0], 'price limits with a day')
    }),
  /** The last day with a daily candle of the symbol before the day of the latest limits: its figures do not move any more. */
  closedDay: (probe: Probe): Promise<string> =>
    probe.once('closed day', async () => {
      const day = await found.day(probe)
      const [from, to] = [before(day, 20), before(day, 1)].map((text) => text.replaceAll('/', '-'))
      const query = { symbol: await found.symbol(probe), from: from ?? '', to: to ?? '', timeFrame: '1d' }
      const days = (await rowsAt(probe, 'ohlc', query)).map((row) => dayOf(row.tradingDate)).sort()
      return required(days.at(-1), 'a session with candles in the last 20 days')
    }),
  /** A listed share of HOSE. */
  symbol: (probe: Probe): Promise<string> =>
    probe.once('symbol', async () => {
      const { body } = await probe.get(`${DATA}/securitiesByBoard`, { board: 'HOSE' })
      const share = rowsIn(body).find(
        (row) => !row.cwUnderlyingSymbol && /^[A-Z]{3}$/.test(String(row.symbol)),
      )
      return required(share && String(share.symbol), 'a share of HOSE')
    }),
  /** A listed share of HOSE whose price is far above its floor: a buy at the floor rests there. */
  shareAboveFloor: (probe: Probe): Promise<string> =>
    probe.once('share above its floor', async () => {
      const { body } = await probe.get(`${DATA}/securitiesByBoard`, { board: 'HOSE' })
      const shares = rowsIn(body).filter(
        (row) => !row.cwUnderlyingSymbol && /^[A-Z]{3}$/.test(String(row.symbol)),
      )
      const day = await found.day(probe)
      for (const { symbol } of shares.slice(0, CANDIDATES)) {
        const { floor, refPrice } = await found.limits(probe, String(symbol))
        const [summary] = await rowsAt(probe, 'securitiesSummary', {
          symbol: String(symbol),
          from: day,
          to: day,
        })
        const reference = numberOf(refPrice, 'refPrice')
        const low = summary?.low ? numberOf(summary.low, 'low') : 0
        const lowest = low > 0 ? Math.min(reference, low) : reference
        if (lowest >= numberOf(floor, 'floor') * ABOVE_FLOOR) return String(symbol)
      }
      throw new NotEvaluable('every share that was looked at is near its floor: a buy there could match')
    }),
  index: (probe: Probe): Promise<string> =>
    probe.once('index', async () => {
      const { body } = await probe.get(`${DATA}/indexList`, { board: 'HOSE' })
      const [index] = rowsIn(body)
      return required(index && String(index.index), 'an index of HOSE')
    }),
  accounts: (probe: Probe): Promise<readonly Row[]> =>
    probe.once('accounts', async () =>
      rowsOf((await probe.get('/api/v3/account/info')).body, 'account/info'),
    ),
  /** The first account that has shares. */
  cashAccount: async (probe: Probe): Promise<string> => {
    const accounts = await found.accounts(probe)
    const account =
      accounts.find((row) => row.accountType === 'CASH') ??
      accounts.find((row) => row.accountType === 'MARGIN')
    return required(account && String(account.accountNo), 'a cash or margin account')
  },
  derivativeAccount: async (probe: Probe): Promise<string> => {
    const account = (await found.accounts(probe)).find((row) => row.accountType === 'DERIVATIVE')
    return required(account && String(account.accountNo), 'a derivative account')
  },
  /** Price limits of a symbol on the latest day. */
  limits: (probe: Probe, symbol: string): Promise<Row> =>
    probe.once(`limits ${symbol}`, async () => {
      const rows = await rowsAt(probe, 'masterdata', { pageSize: 5_000 })
      return required(
        rows.find((row) => row.symbol === symbol),
        `price limits of ${symbol}`,
      )
    }),
} as const

async function rowsAt(
  probe: Probe,
  path: string,
  query: Readonly<Record<string, string | number>>,
): Promise<readonly Row[]> {
  const { body } = await probe.get(`${DATA}/${path}`, query)
  return rowsIn((body as Row | undefined)?.data)
}

function rowsIn(value: unknown): readonly Row[] {
  return Array.isArray(value) ? (value as Row[]) : []
}

/** What one endpoint does not have is no fault of the others: checks that need it cannot be evaluated. */
function required<T>(value: T | undefined, what: string): T {
  if (value === undefined || value === '') throw new NotEvaluable(`the service shows no ${what}`)
  return value
}

/** The orders of an order book, with their count; none for `{"code":204}`. */
export function bookOf(
  probe: Probe,
  body: unknown,
): { total: unknown; list: readonly Row[]; accountNo: unknown } {
  if (isEmpty(probe, body, 'orderBook')) return { total: 0, list: [], accountNo: undefined }
  const data = dataOf(probe, objectOf(body, 'orderBook'), 'orderList', 'orderBook')
  return { total: data.totalRecord, list: rowsOf(data.orderList, 'orderList'), accountNo: data.accountNo }
}

/** Days before a day, `YYYY/MM/DD`. */
export function before(day: string, days: number): string {
  const at = Date.parse(`${day.replaceAll('/', '-')}T00:00:00Z`) - days * 86_400_000
  return new Date(at).toISOString().slice(0, 10).replaceAll('-', '/')
}
