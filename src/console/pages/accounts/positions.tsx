import type { AccountsAnswer } from '../../account-page.js'
import type { Row } from '../api.js'
import { changeWords } from '../chart/legend.js'
import { DataTable, type TableColumn } from '../data-table.js'
import { grouped, rounded } from '../words.js'
import {
  dayReason,
  gainTone,
  laterWords,
  percentWords,
  priceSession,
  signedAmount,
  toComeWords,
  totalOf,
  unrealisedPart,
  unrealisedReason,
  wholeVnd,
} from './account-words.js'
import { knownNumber } from './period.js'
import { accountColumn, symbolColumn } from './shared-columns.js'

/** What is held, what it is worth, what it did, and when it can be sold; and what was sold whole that day. */
export function Positions({ page }: { page: AccountsAnswer<Row> }) {
  const rows = page.tables.account_positions ?? []
  return (
    <section class="card screen" aria-labelledby="positions">
      <h2 id="positions">Positions</h2>
      {rows.length > 0 && <p class="legend">{totalWords(rows)}</p>}
      <DataTable
        caption="Values in VND, of contracts what they stand for; a symbol leads to its chart with own fills"
        rows={rows}
        empty="Nothing is held."
        isBlocks
        columns={[symbolColumn(), ...accountColumn(page), ...columnsOf(page.tables.account_dividends ?? [])]}
      />
    </section>
  )
}

function totalWords(rows: readonly Row[]): string {
  const total = (name: string, write: (value: number | undefined) => string): string =>
    write(totalOf(rows, name)) || 'not all known'
  const isOfShares = rows.every(({ account_type }) => account_type !== 'DERIVATIVE')
  const value = isOfShares ? `Value ${total('market_value', wholeVnd)} · ` : ''
  const held = rows.filter(({ quantity }) => Number(quantity) !== 0)
  const unrealised = signedAmount(totalOf(held, 'unrealised_pnl')) || 'not all known'
  return `${value}day ${total('day_gain', signedAmount)} · unrealised ${unrealised}`
}

function columnsOf(dividends: readonly Row[]): TableColumn<Row>[] {
  return [
    { title: 'quantity', isNumber: true, cell: ({ quantity }) => grouped(quantity) },
    { title: 'average price', isNumber: true, cell: ({ average_price }) => rounded(average_price) },
    {
      title: 'price, of',
      isNumber: true,
      cell: (row) => <WithNote note={priceSession(row)}>{rounded(row.price)}</WithNote>,
    },
    { title: 'value', isNumber: true, cell: (row) => wholeVnd(knownNumber(row, 'market_value')) },
    { title: 'day', isNumber: true, cell: (row) => <DayCell row={row} /> },
    {
      title: 'unrealised',
      isNumber: true,
      cell: (row) => <UnrealisedCell row={row} />,
    },
    { title: 'weight', isNumber: true, cell: (row) => percentWords(knownNumber(row, 'weight')) },
    {
      title: 'sellable now, later',
      isNumber: true,
      cell: (row) => <WithNote note={laterWords(row)}>{grouped(row.sellable_t0)}</WithNote>,
    },
    { title: 'dividends', cell: (row) => toComeWords(row, dividends) },
  ]
}

/** A figure with what belongs to it in small letters below. */
function WithNote({ children, note }: { children: string; note: string }) {
  if (children === '') return null
  return (
    <>
      {children}
      {note && <small class="note">{note}</small>}
    </>
  )
}

function Gain({ gain, part }: { gain: number | undefined; part: number | undefined }) {
  const words = part === undefined ? '' : changeWords(part)
  return (
    <span class={gainTone(gain)}>
      {signedAmount(gain)}
      {words && <small class="note">{words}</small>}
    </span>
  )
}

function UnrealisedCell({ row }: { row: Row }) {
  const gain = knownNumber(row, 'unrealised_pnl')
  if (gain === undefined) return <span class="quiet">{unrealisedReason(row)}</span>
  return <Gain gain={gain} part={unrealisedPart(row)} />
}

function DayCell({ row }: { row: Row }) {
  const gain = knownNumber(row, 'day_gain')
  if (gain === undefined) return <span class="quiet">{dayReason(row)}</span>
  return (
    <>
      <Gain gain={gain} part={knownNumber(row, 'day_return')} />
      {row.has_ex_date && <small class="note">ex-date</small>}
    </>
  )
}
