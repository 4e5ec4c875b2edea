import { type Margin, marginWarning } from '../../../read/margin-warning.js'
import type { Row } from '../api.js'
import { DataTable, type TableColumn } from '../data-table.js'
import { percentWords, wholeVnd } from './account-words.js'
import { knownNumber } from './period.js'

/** How far each account is from a call and a forced sale, and what a fall of all prices does. */
export function Margins({ rows }: { rows: readonly Row[] }) {
  if (rows.length === 0) return null
  const shares = rows.filter(({ account_type }) => account_type !== 'DERIVATIVE')
  const contracts = rows.filter(({ account_type }) => account_type === 'DERIVATIVE')
  return (
    <section class="card" aria-labelledby="margin">
      <h2 id="margin">Margin</h2>
      <MarginWarnings rows={rows} />
      {shares.length > 0 && (
        <DataTable
          caption="Shares: equity over assets; the service asks for money below the call level, and sells below the other"
          isBlocks
          rows={shares}
          columns={SHARES}
        />
      )}
      {contracts.length > 0 && (
        <DataTable
          caption="Contracts: margin required over assets; worse when it rises"
          isBlocks
          rows={contracts}
          columns={CONTRACTS}
        />
      )}
    </section>
  )
}

/** One line per account that is near a level or beyond it. */
export function MarginWarnings({ rows }: { rows: readonly Row[] }) {
  const warnings = rows.flatMap((row) => {
    const warning = marginWarning(row as unknown as Margin)
    return warning ? [{ account: String(row.account_no), ...warning }] : []
  })
  if (warnings.length === 0) return null
  return (
    <ul class="warnings">
      {warnings.map(({ account, level, text }) => (
        <li key={account} class={level}>
          <a href={`#/accounts/${encodeURIComponent(account)}`}>{account}</a> {text}
        </li>
      ))}
    </ul>
  )
}

const amount = (title: string, name: string): TableColumn<Row> => ({
  title,
  isNumber: true,
  cell: (row) => wholeVnd(knownNumber(row, name)),
})

const part = (title: string, name: string): TableColumn<Row> => ({
  title,
  isNumber: true,
  cell: (row) => percentWords(knownNumber(row, name)),
})

/** `7 %` */
const fallOf = (row: Row): string => percentWords(knownNumber(row, 'fall'), 0)

const FIRST: readonly TableColumn<Row>[] = [
  { title: 'account', cell: ({ account_no }) => String(account_no) },
  { title: 'session', cell: ({ trading_date }) => String(trading_date) },
]

const AFTER: readonly TableColumn<Row>[] = [
  { title: 'if all prices fall by', isNumber: true, cell: fallOf },
  part('ratio then', 'ratio_after'),
  { title: 'which is', cell: ({ action_after }) => ACTIONS[String(action_after)] ?? 'not known' },
]

const ACTIONS: Readonly<Record<string, string>> = {
  NONE: 'no call',
  CALL: 'a margin call',
  FORCESELL: 'a forced sale',
  LEVEL1: 'beyond the first limit',
  LEVEL2: 'beyond the second limit',
  LEVEL3: 'beyond the third limit',
}

const SHARES: readonly TableColumn<Row>[] = [
  ...FIRST,
  part('ratio', 'ratio'),
  { title: 'stated', cell: ({ action }) => String(action ?? '') },
  amount('debt', 'total_debt'),
  part('call level', 'call_ratio'),
  amount('assets above it', 'call_distance'),
  part('fall to it', 'call_fall'),
  part('sale level', 'force_ratio'),
  amount('assets above that', 'force_distance'),
  part('fall to that', 'force_fall'),
  ...AFTER,
]

const CONTRACTS: readonly TableColumn<Row>[] = [
  ...FIRST,
  part('ratio', 'ratio'),
  amount('required', 'required'),
  amount('assets', 'total_assets'),
  part('first limit', 'warning_level_1'),
  part('second limit', 'warning_level_2'),
  part('third limit', 'warning_level_3'),
  ...AFTER,
]
