import { fields, type Mutation, negative, swaps, thousand, thousandth, wrongDigit } from './mutation.js'
import { boardIndexOf, futureSummary, indexOf, limitOf, minuteOf, PRICES, stockSummary } from './records.js'

const SUMMARY = `priceChange ${PRICES} average totalMatch totalMatchValue totalBuy totalTradeBuy totalSell totalTradeSell totalForeignBuy totalForeignBuyValue totalForeignSell totalForeignSellValue remainForeignRoom totalForeignRoom`
const INDEX = `totalTrade totalTradeValue totalMatch totalMatchValue indexValue indexChange totalAdvanceStock totalDeclineStock`

/** Figures of the market. */
export const figures: Mutation[] = [
  ...fields('summary', stockSummary, SUMMARY, { 'wrong digit': wrongDigit, '×1000': thousand }),
  ...fields('summary', stockSummary, `${PRICES} totalMatch totalMatchValue average`, {
    '÷1000': thousandth,
    'sign lost': negative,
  }),
  ...fields('summary', stockSummary, 'priceChangePercentage', {
    'wrong digit': wrongDigit,
    '×1000': thousand,
  }),
  ...fields('summary of a future', futureSummary, 'openInterest settlementPrice', {
    'wrong digit': wrongDigit,
    '×1000': thousand,
  }),
  ...fields('1m bar', minuteOf, `${PRICES} volume value`, {
    'wrong digit': wrongDigit,
    '×1000': thousand,
  }),
  ...fields('bars', minuteOf, 'volume', { 'sign lost': negative }),
  ...fields('limit', limitOf, 'ceiling floor refPrice', {
    'wrong digit': wrongDigit,
    '×1000': thousand,
    'sign lost': negative,
  }),
  ...fields('board index', boardIndexOf, INDEX, { 'wrong digit': wrongDigit }),
  ...fields('index', indexOf, INDEX, { '×1000': thousand }),
  ...fields('index', indexOf, 'totalPropBuy totalPropBuyValue', { '×1000': thousand }),
  ...swaps('summary', stockSummary, [
    ['open', 'close'],
    ['high', 'low'],
    ['totalMatch', 'totalMatchValue'],
    ['totalBuy', 'totalTradeBuy'],
    ['totalForeignBuy', 'totalForeignBuyValue'],
    ['totalForeignBuy', 'totalForeignSell'],
    ['remainForeignRoom', 'totalForeignRoom'],
    ['average', 'close'],
    ['totalMatch', 'totalBuy'],
    ['totalMatch', 'totalDeal'],
  ]),
  ...swaps('1m bar', minuteOf, [
    ['volume', 'value'],
    ['high', 'low'],
  ]),
  ...swaps('limit', limitOf, [
    ['ceiling', 'floor'],
    ['ceiling', 'refPrice'],
  ]),
  ...swaps('index', boardIndexOf, [
    ['totalMatch', 'totalDeal'],
    ['totalAdvanceStock', 'totalDeclineStock'],
    ['indexValue', 'indexChange'],
  ]),
]
