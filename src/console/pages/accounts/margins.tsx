import { type Margin, marginWarning } from '../../../read/margin-warning.js'
import type { Row } from '../api.js'
import { type Field, levelFields, percentWords, wholeVnd } from './account-words.js'
import { knownNumber } from './period.js'

/** How far each account is from a call and a forced sale, and what a fall of all prices does. */
export function Margins({ rows }: { rows: readonly Row[] }) {
  if (rows.length === 0) return null
  return (
    <section class="card" aria-labelledby="margin">
      <h2 id="margin">Margin</h2>
      <MarginWarnings rows={rows} />
      {rows.map((row) => (
        <MarginFields key={String(row.account_no)} row={row} />
      ))}
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

/** Names and values, in columns as wide as the screen has room for. */
function MarginFields({ row }: { row: Row }) {
  const isContracts = row.account_type === 'DERIVATIVE'
  const fields = [...(isContracts ? contractFields(row) : shareFields(row)), ...fallFields(row)]
  return (
    <>
      <h3>
        {String(row.account_no)}{' '}
        <span class="quiet">
          {isContracts
            ? 'contracts: margin required over assets, worse when it rises'
            : 'shares: equity over assets'}
          , {String(row.trading_date)}
        </span>
      </h3>
      <dl class="fields margin">
        {fields.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value || 'not known'}</dd>
          </div>
        ))}
      </dl>
    </>
  )
}

const amountOf = (row: Row, name: string): string => wholeVnd(knownNumber(row, name))
const partOf = (row: Row, name: string): string => percentWords(knownNumber(row, name))

function shareFields(row: Row): Field[] {
  return [
    ['ratio', partOf(row, 'ratio')],
    ['stated by the service', String(row.action ?? '')],
    ['debt, VND', amountOf(row, 'total_debt')],
    ['call below', partOf(row, 'call_ratio')],
    ...levelFields(row, 'call', 'a call'),
    ['forced sale below', partOf(row, 'force_ratio')],
    ...levelFields(row, 'force', 'a sale'),
  ]
}

function contractFields(row: Row): Field[] {
  return [
    ['ratio', partOf(row, 'ratio')],
    ['required, VND', amountOf(row, 'required')],
    ['assets, VND', amountOf(row, 'total_assets')],
    ['first limit', partOf(row, 'warning_level_1')],
    ['second limit', partOf(row, 'warning_level_2')],
    ['third limit', partOf(row, 'warning_level_3')],
  ]
}

/** What a fall of all prices does. */
function fallFields(row: Row): Field[] {
  const fall = percentWords(knownNumber(row, 'fall'), 0)
  return [
    [`ratio after a fall by ${fall}`, partOf(row, 'ratio_after')],
    ['which is', ACTIONS[String(row.action_after)] ?? ''],
  ]
}

const ACTIONS: Readonly<Record<string, string>> = {
  NONE: 'no call',
  CALL: 'a margin call',
  FORCESELL: 'a forced sale',
  LEVEL1: 'beyond the first limit',
  LEVEL2: 'beyond the second limit',
  LEVEL3: 'beyond the third limit',
}
