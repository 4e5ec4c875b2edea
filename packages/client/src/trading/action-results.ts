import { type Notes, readRow } from '../decode/fields.js'
import { member } from '../page/envelope.js'
import { conditionalAction, type OrderActionResult, orderAction } from '../wire/order-records.js'
import type { RecordShape, Row } from '../wire/record.js'

/** Undefined without any id: such an answer is about no order. */
export function readOrderAction(value: unknown): OrderActionResult | undefined {
  const row = read(value, orderAction)
  return row && (row.orderId ?? row.clientRequestId ?? row.clientModifyId ?? row.clientCancelId)
    ? row
    : undefined
}

export function readConditionalAction(value: unknown): { readonly fcoId: string } | undefined {
  const fcoId = read(value, conditionalAction)?.fcoId
  return fcoId ? { fcoId } : undefined
}

/**
 * The object itself, or its `data`: single resources come both ways (docs/brokerage-api.md#maxbuysell beside
 * docs/brokerage-api.md#accountbalance).
 */
function read<Field extends string>(value: unknown, shape: RecordShape<Field>): Row<Field> | undefined {
  const inner = member(value, 'data')
  const notes: Notes = { drift: new Set(), faults: [] }
  return readRow(typeof inner === 'object' && inner !== null ? inner : value, shape, {}, notes, 'answer')
}
