import { ACCOUNT_TABS, type AccountsQuery, type AccountTab, ALL_ACCOUNTS } from '../../account-page.js'

/** Which benchmarks are columns of every answer; any other one is asked for by name. */
export const MAIN_BENCHMARKS = ['VNINDEX', 'VN30'] as const

const [USUAL] = MAIN_BENCHMARKS

/** The state in the address: `ACCOUNT/TAB/SINCE/BENCHMARK`, each of which may be left out. */
export function accountsStateOf(words: readonly string[]): AccountsQuery {
  const [account = '', tab = '', since = '', benchmark = ''] = words
  return {
    account: account || ALL_ACCOUNTS,
    tab: isTab(tab) ? tab : 'overview',
    since: /^\d{4}-\d\d-\d\d$/.test(since) && !Number.isNaN(Date.parse(since)) ? since : '',
    benchmark: benchmark || USUAL,
  }
}

function isTab(name: string): name is AccountTab {
  return (ACCOUNT_TABS as readonly string[]).includes(name)
}

/** The address of a state: it can be kept as a bookmark. */
export function accountsAddress(state: AccountsQuery): string {
  const { account, tab, since, benchmark } = state
  const words = [account, tab, since || '-', benchmark]
  const usual = [ALL_ACCOUNTS, 'overview', '-', USUAL]
  const shown = words.slice(0, words.findLastIndex((word, index) => word !== usual[index]) + 1)
  return ['#/accounts', ...shown.map(encodeURIComponent)].join('/')
}

/** The parameters of the request: main benchmarks are in every answer, so that the server need not compute again. */
export function accountsParameters({ benchmark, ...state }: AccountsQuery): Record<string, string> {
  const isMain = (MAIN_BENCHMARKS as readonly string[]).includes(benchmark)
  return { ...state, benchmark: isMain ? '' : benchmark }
}

/** Beginnings of periods that are asked for often, each with a name; those before the first session are left out. */
export function usualPeriods(first: string, last: string): { name: string; since: string }[] {
  const [year = 0, month = 0, day = 0] = last.split('-').map(Number)
  const monthsBefore = (count: number): string => {
    const lastOfMonth = new Date(Date.UTC(year, month - count, 0)).getUTCDate()
    return new Date(Date.UTC(year, month - 1 - count, Math.min(day, lastOfMonth))).toISOString().slice(0, 10)
  }
  const periods = [
    { name: '1 month', since: monthsBefore(1) },
    { name: '3 months', since: monthsBefore(3) },
    { name: 'this year', since: `${year - 1}-12-31` },
    { name: '1 year', since: monthsBefore(12) },
  ]
  return [...periods.filter(({ since }) => since > first), { name: 'all', since: '' }]
}
