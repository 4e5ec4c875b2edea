import { ServiceError, SettingsError } from 'candlehouse-foundation/errors'
import { BOARDS } from 'candlehouse-foundation/market/board'
import type { Day } from 'candlehouse-foundation/market/day'
import { openInstant } from 'candlehouse-foundation/market/sessions'
import pLimit from 'p-limit'
import { fetchPart } from '../../fetch/part.js'
import type { LastPageFields } from '../../fetch/walk.js'
import type { PartWalk } from '../../land/journal.js'
import { NOT_LISTED } from '../../load/account/account-states.js'
import { loadSnapshot } from '../../load/account/load-snapshot.js'
import { type AccountReader, type AccountRecord, accountReader } from '../../load/account/page-records.js'
import type { AccountsOfKey } from '../../night/summary.js'
import {
  type Holdings,
  type KnownAccount,
  type PartRequest,
  planAccounts,
  planHoldings,
  planRest,
} from '../../plan/account-parts.js'
import type { Goal } from '../../plan/goal.js'
import { isPart } from '../../plan/parts.js'
import { suffixesOf } from '../../settings/index.js'
import { type LastResponse, SessionLostError } from '../../source/source.js'
import { latestCloses, latestListed, readEarlierSnapshots } from '../../warehouse/snapshots.js'
import type { Run } from '../lifecycle/run.js'
import type { Fetching } from '../stages/fetching.js'
import { runStages } from '../stages/stages.js'

/** Parts requested at the same time, so that the parts of an account are close in time. The throttle limits the rate. */
const WORKERS = 4

/** A record, and the account whose page it came from. */
interface OwnedRecord {
  readonly account: string
  readonly record: AccountRecord
}

/**
 * Takes a snapshot of every account of the key: requests and lands its parts, then loads all of it in one transaction. The
 * journal line of the very last page closes the snapshot; one that was not closed is never loaded. An account that an earlier
 * key of the run has read is left to that key.
 *
 * @returns `partial` also where the session was lost on the way: every part after that is missing for this reason
 * @throws as `fetchPart`; an outage, or credentials that are refused on the way, after what was read before it is loaded
 */
export async function takeSnapshot(fetching: Fetching): Promise<AccountsOfKey> {
  const { run } = fetching
  const suffixes = suffixesOf(run.settings)
  const snapshot = new AccountSnapshot(fetching, accountReader(run.home, suffixes))
  run.io.progress.phase('accounts')
  noteOpenSession(run)
  await snapshot.fetchAll()
  run.io.progress.done()
  const { walks, reader } = snapshot
  const loaded = await loadSnapshot(run.warehouse, run.home, walks, { verify: false, suffixes, reader })
  await run.addLoaded(loaded)
  run.report.missing.push(
    ...loaded.missing.map((line) => ({ dataset: 'snapshot' as const, line: fetching.key.about(line) })),
  )
  for (const account of snapshot.accounts) fetching.accountsRead.add(account)
  if (snapshot.failure && !(snapshot.failure instanceof SessionLostError)) throw snapshot.failure
  if (loaded.missing.length === 0) return { accounts: 'complete', why: null }
  return { accounts: 'partial', why: loaded.missing.join('; ') }
}

/**
 * A nightly that nobody gave a date works for the latest closed session. Once the next one is open, accounts may have orders of that
 * one already: nobody can read what they had on the evening before.
 */
function noteOpenSession({ planningCalendar, tradingDate, settings, io, report }: Run): void {
  const now = io.effects.now()
  const next = planningCalendar.nextSession(tradingDate)
  const isOpen = planningCalendar.latestClosedSession(now) === tradingDate && openInstant(next) <= now
  // The embedded sandbox stands at the run's trading date.
  if (settings.baseUrl === undefined || !isOpen) return
  report.notes.push(
    `accounts were read while the session of ${next} was open: what they have done in it is in the snapshot of ${tradingDate}`,
  )
}

/** A snapshot while its parts are fetched: later parts are planned from the records of earlier ones. */
class AccountSnapshot {
  readonly walks: PartWalk[] = []
  /** Numbers of the accounts that it contains. */
  accounts: readonly string[] = []
  /** An outage, or a session that was lost on the way: the parts after it are not requested. */
  failure: ServiceError | SettingsError | undefined

  constructor(
    private readonly fetching: Fetching,
    readonly reader: AccountReader,
  ) {}

  async fetchAll(): Promise<void> {
    const { tradingDate } = this.fetching.run
    await this.fetchOne(planAccounts(tradingDate))
    const { accounts: listed, others } = this.listedAccounts()
    const isNamed = listed.length + others.length > 0
    const accounts = isNamed ? listed : await this.storedAccounts()
    this.accounts = accounts.map(({ account }) => account)
    const parts = accounts.length > 0 ? await this.partsOf(accounts) : []
    // A list that named nobody is asked for once more, after its accounts: it may only have been late.
    const last = (isNamed ? parts.pop() : undefined) ?? planAccounts(tradingDate)
    await this.fetchEach(parts)
    await this.fetchOne(last, { closes: 'snapshot', of_other_keys: others })
  }

  /** The parts that follow from what the accounts hold, which is fetched for them. */
  private async partsOf(accounts: readonly KnownAccount[]): Promise<PartRequest[]> {
    await this.fetchEach(planHoldings(accounts, this.fetching.run.tradingDate))
    return await this.planRest(accounts)
  }

  /** Accounts of the key's list; `others`: those of them that an earlier key of the run has read. */
  private listedAccounts(): { accounts: KnownAccount[]; others: string[] } {
    const { accountsRead, key, run } = this.fetching
    const listed = knownAccounts(this.recordsOf('account'))
    const others = listed.flatMap(({ account }) => (accountsRead.has(account) ? account : []))
    if (others.length > 0)
      run.report.notes.push(key.about(`${others.join(', ')}: read with an earlier key, and left to it`))
    return { accounts: listed.filter(({ account }) => !accountsRead.has(account)), others }
  }

  /** Where the list names nobody, the accounts that the key's latest one named: what is missed of them cannot be fetched again. */
  private async storedAccounts(): Promise<KnownAccount[]> {
    const { accountsRead, key, run } = this.fetching
    const stored = await latestListed(run.warehouse, key.name, NOT_LISTED)
    return stored.filter(({ account }) => !accountsRead.has(account))
  }

  /** The parts that depend on what the accounts have: symbols with their closes, conditional orders. */
  private async planRest(accounts: readonly KnownAccount[]): Promise<PartRequest[]> {
    const { warehouse, tradingDate } = this.fetching.run
    const records = [...this.recordsOf('equity_position'), ...this.recordsOf('derivative_position_summary')]
    const symbols = distinctValues(records, 'symbol')
    const closes = await closesOf([...new Set(symbols.map(({ value }) => value))], this.fetching)
    const holdings: Holdings = {
      positions: symbols.map(({ account, value }) => ({ account, symbol: value, close: closes.get(value) })),
      conditionals: distinctValues(this.recordsOf('conditional_order'), 'fcoId').map(
        ({ account, value }) => ({ account, fcoId: value }),
      ),
    }
    return planRest(accounts, holdings, await readEarlierSnapshots(warehouse, tradingDate), tradingDate)
  }

  private async fetchOne(request: PartRequest, lastPage: LastPageFields = {}): Promise<void> {
    const { run } = this.fetching
    this.walks.push(...(await this.walksOf(request, lastPage)))
    run.tally.addWindows('snapshot')
    run.io.progress.advance(1, `${request.part} ${request.account}`)
  }

  private async walksOf(request: PartRequest, lastPage: LastPageFields): Promise<PartWalk[]> {
    const { run, context } = this.fetching
    if (!this.failure)
      try {
        return await fetchPart(request, context, lastPage)
      } catch (error) {
        if (!(error instanceof ServiceError || error instanceof SettingsError)) throw error
        context.signal.throwIfAborted()
        this.failure ??= error
      }
    const skipped: LastResponse = {
      problem: this.failure.message,
      status: undefined,
      body: new Uint8Array(),
      attempts: 0,
      receivedAt: run.io.effects.now(),
    }
    return await fetchPart(request, context, lastPage, skipped)
  }

  private async fetchEach(requests: readonly PartRequest[]): Promise<void> {
    const limit = pLimit(WORKERS)
    await Promise.all(requests.map((request) => limit(() => this.fetchOne(request))))
  }

  private recordsOf(table: string): OwnedRecord[] {
    return this.walks
      .flatMap(({ pages }) => pages)
      .flatMap((page) => {
        const { dataset } = page.window
        if (!isPart(dataset)) return []
        const records = this.reader(page, dataset).records.filter(
          ({ table: name, fault }) => name === table && fault === null,
        )
        return records.map((record) => ({ account: page.account ?? '', record }))
      })
  }
}

function knownAccounts(rows: readonly OwnedRecord[]): KnownAccount[] {
  const known = new Map<string, KnownAccount>()
  for (const { record } of rows) {
    const { accountNo, accountType } = record.fields
    if (accountNo) known.set(accountNo, { account: accountNo, type: accountType ?? undefined })
  }
  return [...known.values()]
}

/** The values that records of accounts have in a field: each value once per account. */
function distinctValues(rows: readonly OwnedRecord[], field: string): { account: string; value: string }[] {
  const values = new Map<string, { account: string; value: string }>()
  for (const { account, record } of rows) {
    const value = record.fields[field]
    if (value) values.set(JSON.stringify([account, value]), { account, value })
  }
  return [...values.values()]
}

/** Sessions to look back for a usable close: an older one says nothing about the maximum quantity of an order. */
const SESSIONS_FOR_A_CLOSE = 5

/**
 * Latest closes of symbols in accounts, plain decimal text. Where the warehouse has none, the daily summaries of just these
 * symbols are requested first, if a board lists them: accounts also have expired contracts, rights and delisted shares, whatever
 * their names are, and the service has no close of those. A symbol without a close is not in the result.
 */
async function closesOf(
  symbols: readonly string[],
  fetching: Fetching,
): Promise<ReadonlyMap<string, string>> {
  const { warehouse, calendar, tradingDate, io } = fetching.run
  // A snapshot of the morning: the session of its date has no close yet.
  const [last = tradingDate] = [tradingDate, calendar.latestClosedSession(io.effects.now())].sort()
  let from: Day = calendar.isSession(last) ? last : calendar.previousSession(last)
  for (let sessions = 1; sessions < SESSIONS_FOR_A_CLOSE; sessions++) from = calendar.previousSession(from)
  const stored = await latestCloses(warehouse, symbols, from, tradingDate)
  const unknown = symbols.filter((symbol) => !stored.has(symbol))
  if (unknown.length === 0) return stored
  const goal: Goal = {
    tradingDate,
    from,
    to: last,
    datasets: ['securitiesSummary'],
    timeframes: [],
    crossChecks: 0,
    symbols: unknown,
    refresh: false,
  }
  const listed = await listedOf(unknown, goal, fetching)
  if (listed.length === 0) return stored
  await runStages({ ...goal, symbols: listed }, fetching)
  return await latestCloses(warehouse, symbols, from, tradingDate)
}

/** Those of the symbols that a board lists now. Where nobody has asked for the lists of the trading date yet, they are fetched. */
async function listedOf(symbols: readonly string[], goal: Goal, fetching: Fetching): Promise<string[]> {
  const { tradingDate } = goal
  const now: Goal = { ...goal, from: tradingDate, to: tradingDate }
  const areListed = async (): Promise<{ listed: string[]; areFetched: boolean }> => {
    const coverage = await fetching.readCoverage(now)
    const names = new Set(coverage.listed)
    const isFetched = (board: string): boolean =>
      coverage.stateOf('securities', board, '', tradingDate) !== undefined
    return { listed: symbols.filter((symbol) => names.has(symbol)), areFetched: BOARDS.some(isFetched) }
  }
  const stored = await areListed()
  if (stored.listed.length === symbols.length || stored.areFetched) return stored.listed
  await runStages({ ...now, datasets: ['securities'], symbols: undefined }, fetching)
  return (await areListed()).listed
}
