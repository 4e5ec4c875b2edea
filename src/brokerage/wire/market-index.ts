import { type Row, record } from './record.js'

/** An index (docs/brokerage-api.md#indexlist). */
export const marketIndex = record(['index', 'indexName', 'board'])

export type MarketIndex = Row<(typeof marketIndex.fields)[number]>
