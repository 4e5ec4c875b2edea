import { accountNumber } from './account.js'
import { type FieldTable, flag, instant, price, priceOrWord, quantity, text } from './field.js'

/**
 * An order book entry (docs/brokerage-api.md#orderbook). `price` may be a word (`MP`, `ATO`); statuses:
 * docs/market-facts.md#order-statuses.
 */
export const order = {
  clientRequestId: text("The client's own identifier of the order"),
  orderId: text("The service's identifier of the order", { isRequired: true }),
  symbol: text('Symbol of the security or contract'),
  side: text('B buy, S sell'),
  orderType: text('LO, ATO, ATC or MP'),
  quantity: quantity('Quantity', { unit: 'shares or contracts' }),
  price: priceOrWord('Price as sent: VND or index points as text, or a word such as MP or ATO'),
  filledQty: quantity('Quantity matched'),
  cancelQty: quantity('Quantity cancelled'),
  avgPrice: price('Average price of what was matched', { unit: 'VND or index points' }),
  inputTime: instant('When the order was entered', { column: 'input_at' }),
  modifiedTime: instant('When it was last changed', { column: 'modified_at' }),
  orderStatus: text(
    'WA, RS, SD, QU, PF, FF, FFPC, WM, WC, CL, RJ, EX, IAV or PD; terminal: FF, FFPC, CL, RJ, EX',
  ),
  message: text('Why it was rejected, or other words of the service'),
} satisfies FieldTable

/** A conditional order without its parameters (docs/brokerage-api.md#fcolist). */
export const conditionalOrder = {
  fcoId: text('Identifier of the conditional order', { isRequired: true }),
  username: text('Login that placed it'),
  accountNo: accountNumber,
  price: priceOrWord('Price as sent: VND or index points as text, or a word such as MP or ATO'),
  priceSlip: price('Slippage allowed', { unit: 'VND or index points' }),
  symbol: text('Symbol of the security or contract'),
  orderType: text('LO, ATO, ATC or MP'),
  from: instant('Begin of its validity', { column: 'from_at' }),
  to: instant('End of its validity', { column: 'to_at' }),
  detail: text('Words of the service'),
  quantity: quantity('Quantity', { unit: 'shares or contracts' }),
  matchedQuantity: quantity('Quantity matched by its child orders'),
  type: text('stop, stop_limit, gtd, bullbear, oco, trailing_stop or trailing_stop_limit'),
  isPlaceOrder: flag('Whether a child order has been sent'),
  status: text('INIT, WAIT, TRI, TRIT, TER, FIS, WC, EXP or ERR'),
} satisfies FieldTable

/** What triggers it. `operator` may come back as 0 to 4 (docs/market-facts.md#conditional-orders). */
export const conditionalParams = {
  stopPrice: price('Price at which it triggers', { unit: 'VND or index points' }),
  side: text('B buy, S sell'),
  activePrice: price('Price from which a trailing stop follows'),
  trailingAmount: price('Distance between market and stop price'),
  tpActivePrice: price('Trigger of the take-profit leg'),
  slActivePrice: price('Trigger of the stop-loss leg'),
  tpPrice: priceOrWord('Price of the take-profit order, a number or a word'),
  slPrice: priceOrWord('Price of the stop-loss order, a number or a word'),
  tpSlip: price('Slippage of the take-profit order'),
  slSlip: price('Slippage of the stop-loss order'),
  operator: text(
    'How the market price is compared with the stop price, as sent: a word, or 0 to 4 on some deployments',
  ),
} satisfies FieldTable

/**
 * A step in a conditional order's life (docs/brokerage-api.md#fcostatushistory); live `time` is `DD/MM/YYYY
 * HH:MM:SS`.
 */
export const conditionalEvent = {
  state: text('Status it moved to', { isRequired: true }),
  time: instant('When it moved', { column: 'occurred_at' }),
  code: quantity('0, or what went wrong'),
  detail: text('Words of the service'),
} satisfies FieldTable
