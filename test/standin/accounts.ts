// The customer's own data: three sub-accounts, what is in them, and their orders.

import { slashed } from './dates.js'
import type { Row } from './rows.js'

export interface StandInAccounts {
  /** `<3 chars><6 digits>` and 1 CASH, 6 MARGIN, 8 DERIVATIVE. */
  accounts: { accountNo: string; accountType: 'CASH' | 'MARGIN' | 'DERIVATIVE' }[]
  positions: Row[]
  openContracts: Row[]
  closedContracts: Row[]
  /** With `accountNo`, which is not served; oldest first. */
  orders: (Row & { accountNo: string; inputTime: string; symbol: string })[]
  conditional: (Row & { accountNo: string; fcoId: string })[]
  /** Status history by fcoId, oldest first. */
  histories: Record<string, Row[]>
}

const CLIENT = '069123456'

export const position = (accountNo: string, symbol: string, quantity: number, cost: number): Row => ({
  accountNo,
  symbol,
  quantity: String(quantity),
  blockQuantity: '0',
  dividendQuantity: '0',
  buyingQuantity: '0',
  boughtQuantity: '100',
  sellingQuantity: '0',
  soldQuantity: '0',
  t1SellQuantity: '100',
  t2SellQuantity: '0',
  costPrice: String(cost),
  mortgageQuantity: '0',
  sellableQuantity: String(quantity - 100),
  restrictedQuantity: '0',
})

const contract = (long: number, short: number, floatingPL: number): Row => ({
  symbol: '41I1F4000',
  long: String(long),
  short: String(short),
  net: String(long - short),
  bidAvgPrice: '1350.2',
  askAvgPrice: '0',
  tradePrice: '1351.0',
  tradingPL: '0',
  floatingPL: String(floatingPL),
})

const order = (accountNo: string, day: string, nth: number, symbol: string, status: string) => {
  const quantity = 100 * (nth + 1)
  const filled = status === 'FF' ? quantity : status === 'FFPC' ? 100 : 0
  const compact = day.replaceAll('/', '')
  return {
    accountNo,
    clientRequestId: `r${compact}${accountNo.at(-1)}${nth}`,
    orderId: `${compact}${accountNo.at(-1)}00${nth}`,
    symbol,
    side: nth % 2 === 0 ? 'B' : 'S',
    orderType: 'LO',
    quantity: String(quantity),
    price: '25000',
    filledQty: String(filled),
    cancelQty: String(quantity - filled),
    avgPrice: filled > 0 ? '25000' : '0',
    inputTime: `${day} 09:3${nth}:00`,
    modifiedTime: `${day} 09:4${nth}:00`,
    orderStatus: status,
    message: '',
  }
}

export const buildAccounts = (sessions: string[]): StandInAccounts => {
  const [cash, margin, derivative] = [`${CLIENT}1`, `${CLIENT}6`, `${CLIENT}8`]
  const first = slashed(sessions[0] ?? '2025-01-02')
  return {
    accounts: [
      { accountNo: cash, accountType: 'CASH' },
      { accountNo: margin, accountType: 'MARGIN' },
      { accountNo: derivative, accountType: 'DERIVATIVE' },
    ],
    positions: [position(cash, 'HPG', 1200, 24_500), position(cash, 'PVS', 500, 32_000)].concat(
      position(margin, 'FPT', 300, 118_000),
    ),
    openContracts: [contract(2, 0, 160_000)],
    closedContracts: [contract(0, 0, 0)],
    orders: sessions.flatMap((session) => [
      order(cash, slashed(session), 0, 'HPG', 'FF'),
      order(cash, slashed(session), 1, 'PVS', 'FFPC'),
      order(margin, slashed(session), 2, 'FPT', 'CL'),
      order(derivative, slashed(session), 3, '41I1F4000', 'FF'),
    ]),
    conditional: [
      {
        fcoId: 'fco-1',
        username: CLIENT,
        accountNo: cash,
        price: '24000',
        priceSlip: '0',
        symbol: 'HPG',
        orderType: 'LO',
        from: `${first} 09:00:00`,
        to: `${first} 15:00:00`,
        detail: '',
        quantity: 100,
        matchedQuantity: 0,
        type: 'stop_limit',
        isPlaceOrder: false,
        status: 'INIT',
        params: { stopPrice: 24_500, side: 'S', operator: 'lesser_or_equal' },
      },
      {
        fcoId: 'fco-2',
        username: CLIENT,
        accountNo: margin,
        price: 'MP',
        priceSlip: '100',
        symbol: 'FPT',
        orderType: 'LO',
        from: `${first} 09:00:00`,
        to: `${first} 15:00:00`,
        detail: 'matched',
        quantity: 200,
        matchedQuantity: 200,
        type: 'bullbear',
        isPlaceOrder: true,
        status: 'FIS',
        params: {
          side: 'B',
          tpActivePrice: 130_000.5,
          tpPrice: '130500',
          tpSlip: 100,
          slActivePrice: 110_000,
          slPrice: 'MTL',
          slSlip: 0,
        },
      },
    ],
    histories: {
      'fco-1': [{ state: 'INIT', time: `${first} 09:00:00`, code: 0, detail: '' }],
      'fco-2': [
        { state: 'INIT', time: `${first} 09:00:00`, code: 0, detail: '' },
        { state: 'TRI', time: `${first} 10:11:12`, code: 0, detail: '' },
        { state: 'FIS', time: `${first} 10:11:13`, code: 1, detail: 'matched' },
      ],
    },
  }
}
