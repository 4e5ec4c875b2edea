import { join } from 'node:path'
import { expect } from 'vitest'
import {
  BALANCE_DERIVATIVE,
  BALANCE_EQUITY,
  filled,
  POWER_DERIVATIVE,
  POWER_EQUITY,
} from '../../standin/account-fields.js'
import type { StandIn } from '../../standin/index.js'
import { ask } from '../../support/published.js'
import { snakeCase } from './snake-case.js'

type Row = Record<string, unknown>

/** Instants of the API (exchange time) as the catalog writes them. */
function instant(text: unknown): string | null {
  if (typeof text !== 'string') return null
  const at = new Date(`${text.replaceAll('/', '-').replace(' ', 'T')}+07:00`)
  return at.toISOString().replace('.000Z', 'Z')
}

const INSTANTS: Readonly<Record<string, string>> = {
  inputTime: 'input_at',
  modifiedTime: 'modified_at',
  from: 'from_at',
  to: 'to_at',
  time: 'occurred_at',
}

function named(row: Row): Row {
  const flat = { ...row, ...((row.params as Row | undefined) ?? {}) }
  return Object.fromEntries(
    Object.entries(flat)
      .filter(([name]) => name !== 'params')
      .map(([name, value]) =>
        INSTANTS[name] ? [INSTANTS[name], instant(value)] : [snakeCase(name), plain(value)],
      ),
  )
}

function plain(value: unknown): unknown {
  if (value === '' || value === null || value === undefined) return null
  const text = String(value)
  if (!/^-?\d+(\.\d+)?$/.test(text)) return text
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text
}

/** Rows of a relation in the snapshot of a day, in the shape of the truth. */
async function held(cwd: string, relation: string, asOf: string, columns: readonly string[]): Promise<Row[]> {
  const rows = await ask(
    join(cwd, 'data'),
    `select * from account.${relation} semi join
       (select snapshot_id from account.snapshot where as_of = date '${asOf}') using (snapshot_id)`,
  )
  return rows.map((row) => Object.fromEntries(columns.map((name) => [name, plain(row[name])])))
}

/** The snapshot of a day holds what the service has now, to the last digit. */
export async function expectAccounts(standIn: StandIn, cwd: string, asOf: string): Promise<void> {
  const { accounts, positions, openContracts, closedContracts, orders, conditional, histories } =
    standIn.accounts
  const derivative = accounts.find((account) => account.accountType === 'DERIVATIVE')?.accountNo
  const of = (account_no: unknown) => (row: Row) => ({ ...named(row), account_no })
  const figures = (names: string[], derivative: boolean): Row[] =>
    accounts
      .filter((account) => (account.accountType === 'DERIVATIVE') === derivative)
      .map(({ accountNo }) => named(filled(accountNo, names, 1_000_000, 12_500)))
  const truths: Record<string, Row[]> = {
    equity_balance: figures(BALANCE_EQUITY, false),
    derivative_balance: figures(BALANCE_DERIVATIVE, true),
    equity_margin: figures(POWER_EQUITY, false),
    derivative_margin: figures(POWER_DERIVATIVE, true),
    equity_position: positions.map(named),
    derivative_position: [
      ...openContracts.map((row) => ({ ...of(derivative)(row), side_of_book: 'open' })),
      ...closedContracts.map((row) => ({ ...of(derivative)(row), side_of_book: 'close' })),
    ],
    derivative_position_summary: openContracts.map(of(derivative)),
    order_book: orders.map(named),
    conditional_order: conditional.map(named),
    conditional_order_event: Object.entries(histories).flatMap(([fco_id, steps]) =>
      steps.map((step, index) => ({ ...named(step), fco_id, ordinal: String(index + 1) })),
    ),
  }
  for (const [relation, truth] of Object.entries(truths)) {
    const columns = [...new Set(truth.flatMap((row) => Object.keys(row)))].sort()
    const shaped = truth.map((row) => Object.fromEntries(columns.map((name) => [name, row[name] ?? null])))
    const sorted = (rows: Row[]): Row[] =>
      rows.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
    expect(sorted(await held(cwd, relation, asOf, columns)), relation).toEqual(sorted(shaped))
  }
}
