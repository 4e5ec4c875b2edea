/** What the statuses of orders mean: docs/market-facts.md#order-statuses. */
export const ORDER_STATUSES: Readonly<Record<string, string>> = {
  PD: 'pending',
  WA: 'waiting for approval',
  IAV: 'accepted before the session',
  RS: 'ready to send',
  SD: 'sent',
  QU: 'queued at the exchange',
  PF: 'partly filled',
  FF: 'filled',
  FFPC: 'partly filled, the rest cancelled',
  WM: 'waiting for a change',
  WC: 'waiting for a cancel',
  CL: 'cancelled',
  RJ: 'rejected',
  EX: 'expired',
}

/** Those of conditional orders: docs/market-facts.md#conditional-order-statuses. */
export const CONDITIONAL_STATUSES: Readonly<Record<string, string>> = {
  INIT: 'created',
  WAIT: 'waiting',
  TRI: 'triggering',
  TRIT: 'triggered',
  TER: 'terminated',
  FIS: 'finished',
  WC: 'waiting for a cancel',
  EXP: 'expired',
  ERR: 'error',
}
