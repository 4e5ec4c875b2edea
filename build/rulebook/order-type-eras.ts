import { marketRules } from 'candlehouse-foundation/market/rulebook'

/** Where the client has its copy of the rulebook's order types: a library without files of its own. */
export const ORDER_TYPE_ERAS_FILE = 'packages/client/src/order-type-eras.json'

/** Order types by board and time, as JSON: first day, and last day or an empty text. */
export function orderTypeEras(): string {
  const rows = marketRules()
    .filter(({ rule }) => rule === 'order_types')
    .map(({ scope: board, validFrom: from, validTo: to, value }) => ({
      board,
      from,
      to,
      types: value.split(' '),
    }))
  return `[\n${rows.map((row) => `  ${JSON.stringify(row)}`).join(',\n')}\n]\n`
}
