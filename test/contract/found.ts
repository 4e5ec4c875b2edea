import { type Row, rowsOf } from './check.js'
import type { Probe } from './probe.js'

/** What the checks speak of, asked of the service itself: nothing here knows one deployment from another. */
export const found = {
  /** Trading date of the latest price limits, as the service writes it, and as `YYYY/MM/DD`. */
  day: (probe: Probe): Promise<string> =>
    probe.once('day', async () => {
      const { body } = await probe.get('/api/v3/data/masterdata')
      const [row] = rowsOf((body as Row).data, 'masterdata.data')
      return String(row?.tradingDate).slice(0, 10).replaceAll('-', '/')
    }),
  /** A listed share of HOSE. */
  symbol: (probe: Probe): Promise<string> =>
    probe.once('symbol', async () => {
      const { body } = await probe.get('/api/v3/data/securitiesByBoard', { board: 'HOSE' })
      const shares = rowsOf(body, 'securitiesByBoard').filter(
        (row) => !row.cwUnderlyingSymbol && /^[A-Z]{3}$/.test(String(row.symbol)),
      )
      return String(shares[0]?.symbol)
    }),
  index: (probe: Probe): Promise<string> =>
    probe.once('index', async () => {
      const { body } = await probe.get('/api/v3/data/indexList', { board: 'HOSE' })
      return String(rowsOf(body, 'indexList')[0]?.index)
    }),
  accounts: (probe: Probe): Promise<readonly Row[]> =>
    probe.once('accounts', async () =>
      rowsOf((await probe.trading('/api/v3/account/info')).body, 'account/info'),
    ),
  /** The first account of a type. */
  account: async (probe: Probe, type: 'CASH' | 'MARGIN' | 'DERIVATIVE'): Promise<string> => {
    const account = (await found.accounts(probe)).find((row) => row.accountType === type)
    return String(account?.accountNo ?? '')
  },
  /** Price limits of a symbol on the latest day. */
  limits: (probe: Probe, symbol: string): Promise<Row> =>
    probe.once(`limits ${symbol}`, async () => {
      const { body } = await probe.get('/api/v3/data/masterdata', { pageSize: 5_000 })
      return rowsOf((body as Row).data, 'masterdata').find((row) => row.symbol === symbol) ?? {}
    }),
} as const

/** Days before a day, `YYYY/MM/DD`. */
export function before(day: string, days: number): string {
  const at = Date.parse(`${day.replaceAll('/', '-')}T00:00:00Z`) - days * 86_400_000
  return new Date(at).toISOString().slice(0, 10).replaceAll('-', '/')
}
