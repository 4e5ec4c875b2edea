import { createThrottle } from '../../brokerage/index.js'
import { ServiceError, SettingsError } from '../../errors.js'
import type { RunningSandbox } from '../../sandbox/index.js'
import { keysOf, namesKeys, type Settings } from '../../settings/index.js'
import { servedPageSizes } from '../../warehouse/coverage.js'
import type { Run } from '../lifecycle/run.js'
import type { AccountsOfKey } from '../report/summary.js'
import { runKeyOf } from '../session/run-key.js'
import { type Fetching, type SharedFetching, withFetching } from './fetching.js'

/** What a run does with its keys. */
export interface KeyWork {
  /** Requested once, with the first key that works. Where a key fails meanwhile, the next one goes on. */
  market(fetching: Fetching): Promise<void>
  /** With every key, one after the other; absent where the run reads no accounts. */
  accounts?: ((fetching: Fetching) => Promise<AccountsOfKey>) | undefined
  /** Whether the run is for the accounts alone: it fails where no key could read any. */
  readonly isForAccounts: boolean
}

/**
 * Runs `work` with the keys of the home, in the order of candlehouse.toml: one session at a time, all at the pace of one, since
 * a service may count requests per address too. A key that is refused or fails is reported and does not stop the others.
 *
 * @param sandbox the embedded sandbox, if it was started before
 * @throws what the only key, or every key, failed with · DeadlineReached · StorageError
 */
export async function withKeys(run: Run, work: KeyWork, sandbox?: Promise<RunningSandbox>): Promise<void> {
  const { settings, io } = run
  const effects = run.deadline.limit(io.effects)
  const maxRps = settings.baseUrl === undefined ? Infinity : settings.broker.maxRps
  const shared: Omit<SharedFetching, 'journal'> = {
    accounts: work.accounts !== undefined,
    sandbox,
    effects,
    throttle: createThrottle({ maxRps }, effects),
    pageSizes: await servedPageSizes(run.warehouse),
    count: { pages: 0, walks: 0 },
    accountsRead: new Set(),
  }
  await run.withJournal(async (journal) => {
    const keys = new Keys(run, work, { ...shared, journal })
    for (const key of keysOf(settings)) await keys.use(key)
    keys.requireWork()
  })
}

class Keys {
  #isMarketDone = false
  #isAnyDone = false
  readonly #failures: (ServiceError | SettingsError)[] = []

  constructor(
    private readonly run: Run,
    private readonly work: KeyWork,
    private readonly shared: SharedFetching,
  ) {}

  /** @param settings those of the key */
  async use(settings: Settings): Promise<void> {
    const { run, work, shared } = this
    if (this.#isMarketDone && !work.accounts) return
    if (!namesKeys(settings)) {
      await withFetching(run, settings, shared, (fetching) => this.#workWith(fetching))
      return
    }
    const market = !this.#isMarketDone && !work.isForAccounts
    const key = runKeyOf(settings)
    try {
      const ended = await withFetching(run, settings, shared, (fetching) => this.#workWith(fetching))
      run.report.addKey({ name: key.name, market, accounts: null, why: null, ...ended })
    } catch (error) {
      if (!(error instanceof ServiceError || error instanceof SettingsError)) throw error
      run.io.signal.throwIfAborted()
      const accounts = error instanceof SettingsError ? 'refused' : 'failed'
      run.report.addProblems([key.about(`${accounts}: ${error.message}`)])
      if (error.hint) run.report.addNext([error.hint])
      run.report.addKey({ name: key.name, market: false, accounts, why: error.message })
      this.#failures.push(error)
    }
  }

  async #workWith(fetching: Fetching): Promise<AccountsOfKey | undefined> {
    // A key that is refused is known before anything is requested with it.
    if (namesKeys(this.run.settings)) await fetching.service.client.session.ensure(this.run.io.signal)
    if (!this.#isMarketDone) await this.work.market(fetching)
    this.#isMarketDone = true
    const ended = await this.work.accounts?.(fetching)
    this.#isAnyDone = true
    return ended
  }

  /** @throws the failure of the service, or else of the keys, where no key did the work */
  requireWork(): void {
    if (this.work.isForAccounts ? this.#isAnyDone : this.#isMarketDone) return
    const failures = this.#failures
    const failure = failures.find((error) => error instanceof ServiceError) ?? failures[0]
    if (failure) throw failure
  }
}
