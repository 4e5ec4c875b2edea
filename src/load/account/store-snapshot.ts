import { literal } from '../../duckdb/sqlfile.js'
import type { Steps } from '../steps.js'
import { ACCOUNT_TABLES } from './account-tables.js'

/**
 * Stores the staged snapshot, unless the latest one of the same trading date is equal: what was asked again and is equal
 * changes nothing. A complete snapshot takes the place of partial ones of its trading date.
 *
 * Returns the rows that changed.
 */
export async function storeSnapshot(steps: Steps): Promise<number> {
  const [summary] = await steps.rows<{ partial: bigint; accounts: bigint }>('load/snapshot/summary')
  if (!summary?.accounts) return 0
  const deleted = summary.partial === 0n ? await deletePartial(steps) : 0
  const [latest] = await steps.rows<{ id: string | null }>('load/snapshot/latest_snapshot')
  if (latest?.id && !(await differsFrom(steps, latest.id))) return deleted
  await steps.run('load/snapshot/insert_snapshot')
  let rows = 0
  for (const { name } of ACCOUNT_TABLES) {
    rows += await steps.count('load/snapshot/insert_rows', { parts: { table: name } })
  }
  return deleted + rows + Number(summary.accounts)
}

/** Returns how many partial snapshots of the trading date were deleted. */
async function deletePartial(steps: Steps): Promise<number> {
  const obsolete = await steps.count('load/snapshot/obsolete_snapshots')
  if (obsolete === 0) return 0
  for (const table of ['snapshot', ...ACCOUNT_TABLES.map(({ name }) => name)]) {
    await steps.run('load/snapshot/delete_obsolete', { parts: { table } })
  }
  return obsolete
}

async function differsFrom(steps: Steps, id: string): Promise<boolean> {
  const snapshot = literal(id)
  const [states] = await steps.rows<{ differs: boolean }>('load/snapshot/state_differs', {
    parts: { snapshot },
  })
  if (states?.differs) return true
  for (const { name } of ACCOUNT_TABLES) {
    const parts = { table: name, snapshot }
    const [rows] = await steps.rows<{ differs: boolean }>('load/snapshot/rows_differ', { parts })
    if (rows?.differs) return true
  }
  return false
}
