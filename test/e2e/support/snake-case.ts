/**
 * The warehouse's name of a field (docs/brokerage-api.md#names-in-the-warehouse), as tests expect it: `callLMVBroker` →
 * `call_lmv_broker`, `nonCashDrawableRCCall` → `non_cash_drawable_rc_call`.
 */
export function snakeCase(name: string): string {
  return name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toLowerCase()
}
