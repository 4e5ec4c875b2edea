import { type Row, record } from './record.js'

/**
 * A step in a conditional order's life (docs/brokerage-api.md#fcostatushistory); live `time` is `DD/MM/YYYY
 * HH:MM:SS`.
 */
export const conditionalEvent = record(['state', 'time', 'code', 'detail'])

export type ConditionalEvent = Row<(typeof conditionalEvent.fields)[number]>
