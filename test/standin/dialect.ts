// A row of the truth as this deployment writes it.

import type { Call } from './answer.js'
import { dialectDate } from './dates.js'
import type { Dataset, StandInOptions } from './options.js'
import { DATE_FIELDS, type Row, TEXT_FIELDS } from './rows.js'

const EXTRA: Record<Dataset, Row> = {
  securitiesByBoard: { stockType: 's', tradingStatus: 'N' },
  securitiesSummary: { ceiling: '26750', floor: '23250', refPrice: '25000', sessionNote: 'CLOSED' },
  indexSummary: { totalForeignBuy: '5000', totalForeignSell: '4000' },
  indexList: { indexNameVi: 'Chỉ số' },
  masterdata: { basis: 'CLOSE' },
  ohlc: { tradeCount: '7' },
  account: { channel: 'API' },
}

const numberIn = (text: string, style: StandInOptions['numbers']): unknown => {
  const parts = /^(-?)(\d+)(\.\d+)?$/.exec(text)
  if (!parts || style === 'strings') return text
  const [, sign = '', whole = '', rest = ''] = parts
  if (style === 'json') return Number(text)
  if (style === 'trailing') return rest ? text : `${text}.0`
  return `${sign}${whole.replaceAll(/\B(?=(\d{3})+$)/g, ',')}${rest}`
}

export const dialectRow = (call: Call, dataset: Dataset, truth: object): Row => {
  const { options } = call
  let row: Row = { ...truth }
  if (options.extraFields) row = { ...row, ...EXTRA[dataset] }
  if (options.mutateRow) row = options.mutateRow(dataset, row, call.request)
  const out: [string, unknown][] = []
  for (const [field, value] of Object.entries(row)) {
    const name =
      dataset === 'masterdata' && field === 'exchange' && options.masterdataBoardField === 'board'
        ? 'board'
        : field
    if (typeof value !== 'string') out.push([name, value])
    else if (DATE_FIELDS.has(field)) out.push([name, dialectDate(value, options.dateFormat)])
    else out.push([name, TEXT_FIELDS.has(field) ? value : numberIn(value, options.numbers)])
  }
  return Object.fromEntries(out)
}
