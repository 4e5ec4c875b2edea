import { UsageError } from 'candlehouse-foundation/errors'
import { type Dataset, datasets } from '../plan/datasets.js'

/**
 * What a user's file may hold: facts of sessions and declarations, but not the lists, which are the whole truth as of a day.
 */
export const IMPORTED = [
  'securitiesSummary',
  'indexSummary',
  'masterdata',
  'ohlc',
  'corporateActions',
] as const

export type Imported = (typeof IMPORTED)[number]

/** The dataset of that name (`corporate_actions` too), or of the relation of that name, in any case. @throws UsageError */
export function importedOf(name: string): Imported {
  const plainName = (text: string): string => text.toLowerCase().replaceAll('_', '')
  const subject = IMPORTED.find((each) =>
    [each, datasets[each].relation].some((one) => plainName(one) === plainName(name)),
  )
  if (subject) return subject
  const known = IMPORTED.map((each) => `${each} (${datasets[each].relation})`).join(', ')
  throw new UsageError(`'${name}' cannot be imported: use one of ${known}`, {
    hint: `candlehouse import ${IMPORTED[0]} FILE`,
  })
}

/** The column of a dataset's relation with the subject of a row. */
export function subjectOf({ key }: Dataset): string {
  return key.includes('index_code') ? 'index_code' : 'symbol'
}

/** Whether one walk speaks of all symbols of its sessions; else there is one a symbol (and timeframe), or index. */
export function isOfMarket(dataset: Imported): boolean {
  return dataset === 'securitiesSummary' || dataset === 'masterdata' || dataset === 'corporateActions'
}

/** The field with the day of a record. */
export function dayFieldOf(dataset: Imported): 'exDate' | 'tradingDate' {
  return dataset === 'corporateActions' ? 'exDate' : 'tradingDate'
}
