import type { OrderStatus } from './order.js'

/**
 * Statuses that may follow each status of an order. The names are those of
 * docs/market-facts.md#order-statuses (usual path PD → RS → SD → QU → PF → FF); the moves between them are the
 * sandbox's choice, because they are not published.
 *
 * - PD received, RS ready to send, SD sent, QU in the exchange's queue, PF partly filled.
 * - WA waits for approval (very large orders), IAV waits for the phase that takes its type.
 * - WM, WC: a change or a cancel is on its way to the exchange. A fill that comes first wins.
 * - FF filled, FFPC partly filled and the rest cancelled or expired, CL cancelled, RJ rejected by the exchange,
 *   EX expired: nothing follows.
 */
export const MOVES: Readonly<Record<OrderStatus, readonly OrderStatus[]>> = {
  PD: ['WA', 'IAV', 'RS', 'CL', 'EX'],
  WA: ['IAV', 'RS', 'CL', 'EX'],
  IAV: ['RS', 'CL', 'EX'],
  RS: ['SD', 'CL', 'EX'],
  SD: ['QU', 'RJ', 'CL', 'EX'],
  QU: ['PF', 'FF', 'FFPC', 'WM', 'WC', 'CL', 'EX'],
  PF: ['PF', 'FF', 'FFPC', 'WM', 'WC'],
  WM: ['QU', 'PF', 'FF', 'FFPC', 'EX'],
  WC: ['QU', 'PF', 'FF', 'FFPC', 'CL', 'EX'],
  FF: [],
  FFPC: [],
  CL: [],
  RJ: [],
  EX: [],
}

/** Whether no other status can follow. */
export function isOver(status: OrderStatus): boolean {
  return MOVES[status].length === 0
}

/** Whether the order is in the queue of the exchange. */
export function isQueued(status: OrderStatus): boolean {
  return status === 'QU' || status === 'PF' || status === 'WM' || status === 'WC'
}
