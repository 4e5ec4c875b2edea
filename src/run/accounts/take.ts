import pLimit from 'p-limit'
import type { Database } from '../../duckdb/open.js'
import { fetchPart } from '../../fetch/part.js'
import type { FetchContext } from '../../fetch/walk.js'
import type { PageRecord, PartWalk } from '../../land/journal.js'
import type { Suffixes } from '../../load/account/fields.js'
import { type AccountRecord, accountReader } from '../../load/account/records.js'
import { loadSnapshot } from '../../load/account/snapshot.js'
import type { Loaded } from '../../load/batch.js'
import type { Day } from '../../market/day.js'
import { isPart } from '../../plan/parts.js'
import {
  type KnownAccount,
  type Named,
  type PartRequest,
  planAccounts,
  planHoldings,
  planRest,
} from '../../plan/snapshot.js'
import { readEarlierSnapshots } from '../../warehouse/snapshots.js'
import type { Progress } from '../lifecycle/progress.js'
import type { Tally } from '../lifecycle/tally.js'

/** Questions asked at the same time: an account's answers should be of one moment, the throttle bounds the rate. */
const WORKERS = 4

export interface SnapshotParts {
  readonly warehouse: Database
  readonly fetching: FetchContext
  readonly suffixes: Suffixes
  readonly tally: Tally
  readonly progress: Progress
  /** Latest closes of held symbols, fetched where the warehouse has none; plain decimal text. */
  closes(symbols: readonly string[]): Promise<ReadonlyMap<string, string>>
}

/**
 * Takes a snapshot of every account: asks, lands, and once everything is there loads all of it in one transaction.
 * The journal line of the very last page closes the snapshot; one that was not closed is never loaded.
 *
 * @throws as `fetchPart`
 */
export async function takeSnapshot(asOf: Day, parts: SnapshotParts): Promise<Loaded> {
  const { warehouse, fetching, suffixes, tally, progress } = parts
  const read = accountReader(fetching.home, suffixes)
  const walks: PartWalk[] = []
  const ask = async (request: PartRequest, closes: Pick<PageRecord, 'closes'> = {}): Promise<void> => {
    walks.push(...(await fetchPart(request, fetching, closes)))
    tally.window('snapshot')
    progress.advance(1, `${request.part} ${request.account}`)
  }
  const recordsOf = (table: string): { account: string; record: AccountRecord }[] =>
    walks
      .flatMap((walk) => walk.pages)
      .flatMap((page) =>
        isPart(page.window.dataset)
          ? read(page, page.window.dataset)
              .records.filter((record) => record.table === table)
              .map((record) => ({ account: page.account ?? '', record }))
          : [],
      )

  progress.phase('accounts')
  await ask(planAccounts(asOf))
  const accounts = knownAccounts(recordsOf('account').map(({ record }) => record))
  if (accounts.length === 0) await ask(planAccounts(asOf), { closes: 'snapshot' })
  else {
    await askAll(planHoldings(accounts, asOf), ask)
    const symbols = heldSymbols(recordsOf)
    const closes = await parts.closes([...new Set(symbols.map(({ symbol }) => symbol))])
    const named: Named = {
      holdings: symbols.map((held) => ({ ...held, close: closes.get(held.symbol) })),
      conditionals: unique(recordsOf('conditional_order'), 'fcoId').map(({ account, name }) => ({
        account,
        fcoId: name,
      })),
    }
    const rest = planRest(accounts, named, await readEarlierSnapshots(warehouse, asOf), asOf)
    await askAll(rest.slice(0, -1), ask)
    for (const last of rest.slice(-1)) await ask(last, { closes: 'snapshot' })
  }
  progress.done()
  return await loadSnapshot(warehouse, fetching.home, walks, { verify: false, suffixes })
}

/** The first failure stops the others after their page in hand. */
async function askAll(
  requests: readonly PartRequest[],
  ask: (request: PartRequest) => Promise<void>,
): Promise<void> {
  const limit = pLimit(WORKERS)
  let failed = false
  await Promise.all(
    requests.map((request) =>
      limit(async () => {
        if (failed) return
        try {
          await ask(request)
        } catch (error) {
          failed = true
          throw error
        }
      }),
    ),
  )
}

function knownAccounts(records: readonly AccountRecord[]): KnownAccount[] {
  const known = new Map<string, KnownAccount>()
  for (const { fields } of records) {
    const account = fields.accountNo
    if (account) known.set(account, { account, type: fields.accountType ?? undefined })
  }
  return [...known.values()]
}

function heldSymbols(
  recordsOf: (table: string) => { account: string; record: AccountRecord }[],
): { account: string; symbol: string }[] {
  const rows = [...recordsOf('equity_position'), ...recordsOf('derivative_position_summary')]
  return unique(rows, 'symbol').map(({ account, name }) => ({ account, symbol: name }))
}

/** What records of accounts name in a field, once each. */
function unique(
  rows: readonly { account: string; record: AccountRecord }[],
  field: string,
): { account: string; name: string }[] {
  const found = new Map<string, { account: string; name: string }>()
  for (const { account, record } of rows) {
    const name = record.fields[field]
    if (name) found.set(JSON.stringify([account, name]), { account, name })
  }
  return [...found.values()]
}
