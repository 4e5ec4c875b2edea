import { ServiceError, SettingsError } from 'candlehouse-foundation/errors'
import { isCommand, withWords } from '../../night/reasons.js'
import type { AccountsOfKey } from '../../night/summary.js'
import { keysOf, namesKeys, type Settings } from '../../settings/index.js'
import { servedPageSizes } from '../../warehouse/read-coverage.js'
import type { Run } from '../lifecycle/run.js'
import { runKeyOf } from '../session/run-key.js'
import { sourceOf } from '../session/service.js'
import { type Fetching, type SharedFetching, withFetching } from './fetching.js'

export interface KeyWork {
  /** Market data that is requested before the accounts, with the first key that works. */
  beforeAccounts?(fetching: Fetching): Promise<void>
  /** With every key, one after the other; absent where the run reads no accounts. */
  accounts?: ((fetching: Fetching) => Promise<AccountsOfKey>) | undefined
  /** All market data that is left: requested once. Where a key fails meanwhile, the next one goes on. */
  market(fetching: Fetching): Promise<void>
  /** Whether the run is for the accounts alone: it fails where no key could read any. */
  readonly isForAccounts: boolean
}

/**
 * Runs `work` with the keys of the home, in the order of candlehouse.toml, all at the pace of one, since a service may count
 * requests per address too. The accounts of all keys are read before the candles: a snapshot that is missed cannot be fetched
 * again. A key that is refused or fails is reported and does not stop the others; in an outage the accounts are still tried.
 *
 * @throws what the only key, or every key, failed with · DeadlineReached · StorageError
 */
export async function withKeys(run: Run, work: KeyWork): Promise<void> {
  const { settings, io } = run
  const effects = run.deadline.limit(io.effects)
  const maxRps = settings.baseUrl === undefined ? Infinity : settings.broker.maxRps
  const shared: Omit<SharedFetching, 'journal'> = {
    accounts: work.accounts !== undefined,
    effects,
    pace: sourceOf(io).pace(maxRps, effects),
    pageSizes: await servedPageSizes(run.warehouse),
    count: { pages: 0, walks: 0 },
    accountsRead: new Set(),
  }
  await run.withJournal((journal) => new Keys(run, work, { ...shared, journal }).useAll())
}

class Keys {
  private isMarketDone = false
  private isAnyDone = false
  private readonly failures = new Map<string, ServiceError | SettingsError>()
  /** How the run ended with the accounts of each key, by its name; undefined where it reads none. */
  private readonly ended = new Map<string, AccountsOfKey | undefined>()
  private marketKey: string | undefined

  constructor(
    private readonly run: Run,
    private readonly work: KeyWork,
    private readonly shared: SharedFetching,
  ) {}

  async useAll(): Promise<void> {
    const keys = keysOf(this.run.settings)
    try {
      for (const [index, key] of keys.entries()) {
        if (this.isMarketDone && (this.ended.has(key.keyName) || !this.work.accounts)) continue
        if (this.failures.has(key.keyName)) continue
        await this.use(key, async (fetching) => {
          await this.workWith(fetching, keys.slice(index + 1))
        })
      }
    } finally {
      this.report(keys)
    }
    this.requireWork()
  }

  /** @param settings those of the key */
  private async use(settings: Settings, work: (fetching: Fetching) => Promise<void>): Promise<void> {
    const { run, shared } = this
    const key = runKeyOf(settings)
    try {
      await withFetching(run, settings, shared, work)
    } catch (error) {
      if (!namesKeys(settings)) throw error
      if (!(error instanceof ServiceError || error instanceof SettingsError)) throw error
      run.io.signal.throwIfAborted()
      const accounts = error instanceof SettingsError ? 'refused' : 'failed'
      const line = key.about(`${accounts}: ${withWords(error)}`)
      run.report.addProblems([line], { kind: 'key', key: key.name })
      if (error.hint !== undefined && isCommand(error.hint)) run.report.next.push(error.hint)
      this.failures.set(key.name, error)
    }
  }

  /** @param others keys whose accounts are read before the candles too */
  private async workWith(fetching: Fetching, others: readonly Settings[]): Promise<void> {
    const { name } = fetching.key
    // A key that is refused is known before anything is requested with it.
    if (namesKeys(this.run.settings)) await fetching.service.source.session.ensure(this.run.io.signal)
    const outage = await this.beforeAccounts(fetching)
    if (!this.ended.has(name)) await this.readAccounts(fetching)
    if (outage) throw outage
    for (const key of others) {
      if (!this.work.accounts || this.ended.has(key.keyName) || this.failures.has(key.keyName)) continue
      await this.use(key, (other) => this.readAccounts(other))
    }
    if (!this.isMarketDone) {
      await this.work.market(fetching)
      this.marketKey = name
    }
    this.isMarketDone = true
  }

  /** @returns the outage that ended it: the accounts are tried first */
  private async beforeAccounts(fetching: Fetching): Promise<ServiceError | undefined> {
    if (this.isMarketDone || !this.work.accounts) return undefined
    try {
      await this.work.beforeAccounts?.(fetching)
      return undefined
    } catch (error) {
      if (error instanceof ServiceError) return error
      throw error
    }
  }

  private async readAccounts(fetching: Fetching): Promise<void> {
    const ended = await this.work.accounts?.(fetching)
    this.ended.set(fetching.key.name, ended)
    this.isAnyDone = true
  }

  /** The keys in their order, where the home names them. */
  private report(keys: readonly Settings[]): void {
    for (const settings of keys.filter(namesKeys)) {
      const { keyName: name } = settings
      const market = this.marketKey === name && !this.work.isForAccounts
      const failure = this.failures.get(name)
      const ended = this.ended.get(name)
      const accounts = failure instanceof SettingsError ? 'refused' : 'failed'
      if (ended || market) this.run.report.keys.push({ name, market, accounts: null, why: null, ...ended })
      else if (failure) this.run.report.keys.push({ name, market: false, accounts, why: failure.message })
    }
  }

  /** @throws the failure of the service, or else of the keys, where no key did the work */
  private requireWork(): void {
    if (this.work.isForAccounts ? this.isAnyDone : this.isMarketDone) return
    const failures = [...this.failures.values()]
    const failure = failures.find((error) => error instanceof ServiceError) ?? failures[0]
    if (failure) throw failure
  }
}
