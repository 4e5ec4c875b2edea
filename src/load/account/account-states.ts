import type { Day } from 'candlehouse-foundation/market/day'
import { counted } from 'candlehouse-foundation/number-text'
import { literal } from '../../duckdb/sqlfile.js'
import { keyNameOf, type PartWalk, partOf } from '../../land/journal.js'
import { groupsBy } from '../../plan/groups.js'
import { PARTS, type PartName, parts } from '../../plan/parts.js'
import { compareTexts } from '../../plan/text-order.js'
import { boundRows } from '../bound-rows.js'
import type { Steps } from '../steps.js'
import { lostFields } from './account-lost-fields.js'
import type { ReceivedSnapshot } from './received-snapshot.js'
import { DAYS_TO_BELIEVE, vanishedPositions } from './vanished-positions.js'

/** State of the snapshot of one account; `account_no` is `*` for the list of accounts itself. */
export interface AccountState {
  account_no: string
  snapshot_id: string
  key_name: string
  as_of: string
  state: 'complete' | 'partial'
  missing: string | null
  request_id: string
  received_at: string
}

/**
 * Checks for each account whether the answers for all its parts are complete: those that the list names, and those that were read
 * without it, because it named nobody. An account that a complete list no longer names is partial, and so is one of which nothing
 * was requested.
 */
export async function checkAccounts(snapshot: ReceivedSnapshot): Promise<AccountState[]> {
  const { steps, walks, others } = snapshot
  const answers = await answersOf(snapshot)
  if (others.length > 0) await steps.run('load/snapshot/other_keys', {}, [boundRows(others)])
  const read = [...new Set(answers.map(({ account }) => account).filter((account) => account !== ''))]
  await steps.run('load/snapshot/snapshot_accounts', {}, [boundRows(read)])
  const accounts = await steps.rows<SnapshotAccount>('load/snapshot/received_accounts')
  const isNamed = accounts.some(({ is_listed }) => is_listed) || others.length > 0
  const listAnswers = answers.filter(({ answer }) => answer.part === 'accountInfo')
  const answered = stateOf('*', listAnswers, walks)
  const list = isNamed || answered.missing ? answered : stateOf('*', listAnswers, walks, ['no accounts'])
  const isListKnown = list.missing === null
  const unlisted = isListKnown ? await unlistedAccounts(steps, list.key_name, list.as_of, others) : []
  const vanished = await vanishedPositions(steps, list.as_of)
  const lost = await lostFields(snapshot, list.as_of)
  const states = accounts.map(({ account_no }) => {
    const accountAnswers = answers.filter(({ account }) => account === account_no)
    // Positions that were not read are not gone.
    const isRead = accountAnswers.every(({ answer }) => answer.part !== 'position' || !whatIsMissing(answer))
    const gone = isRead ? vanished.get(account_no) : undefined
    const unread = accountAnswers.length === 0 ? 'nothing of it was requested' : undefined
    return stateOf(account_no, accountAnswers, walks, [unread ?? gone, lost.get(account_no)])
  })
  for (const [account, reason] of unlisted) states.push(stateOf(account, [], walks, [reason]))
  return list.missing ? [...states, list] : states
}

function stateOf(
  account: string,
  answers: readonly AccountAnswer[],
  walks: readonly PartWalk[],
  besides: readonly (string | undefined)[] = [],
): AccountState {
  const last = walks.at(-1)?.pages.at(-1)
  const missing = [
    ...answers.flatMap(({ answer }) => whatIsMissing(answer) ?? []),
    ...besides.filter((reason) => reason !== undefined),
  ]
  return {
    account_no: account,
    snapshot_id: last?.run ?? '',
    key_name: last ? keyNameOf(last) : '',
    as_of: last?.trading_date ?? '',
    state: missing.length > 0 ? 'partial' : 'complete',
    missing: missing.length > 0 ? missing.join('; ') : null,
    request_id: last?.id ?? '',
    received_at: last?.received_at ?? '',
  }
}

interface SnapshotAccount {
  readonly account_no: string
  readonly is_listed: boolean
}

interface AccountAnswer {
  readonly account: string
  readonly answer: PartAnswer
}

/**
 * One answer per part, account and key: a list that was short has two page walks. In the order of the parts, not of the answers:
 * several are requested at the same time, and what is missing has the same words whichever came first.
 */
async function answersOf({ steps, walks, read }: ReceivedSnapshot): Promise<AccountAnswer[]> {
  const walksByRequest = groupsBy(walks, ({ window, pages }) =>
    JSON.stringify([window.dataset, pages[0]?.account, window.key]),
  )
  const distinct = await countsBy<{ name: string; rows: bigint }>(
    steps,
    'load/snapshot/distinct_counts',
    ({ name }) => name,
  )
  const rejected = await countsBy<{ request_id: string; rows: bigint }>(
    steps,
    'load/snapshot/rejected_counts',
    ({ request_id }) => request_id,
  )
  const answers = [...walksByRequest.values()].flatMap((requestWalks) => {
    const [first] = requestWalks
    const page = first?.pages[0]
    if (!first || !page) return []
    const pages = requestWalks.flatMap((walk) => walk.pages)
    const part = partOf(page)
    const account = page.account ?? ''
    const expected = pages.map(({ id }) => read.get(id)?.expected).filter((count) => count !== undefined)
    const records = pages.reduce((sum, { id }) => sum + (read.get(id)?.records.length ?? 0), 0)
    return {
      account,
      answer: {
        part,
        key: first.window.key,
        walks: requestWalks,
        distinct: distinct.get(`${part} ${account}`) ?? records,
        rejected: pages.reduce((sum, { id }) => sum + (rejected.get(id) ?? 0), 0),
        problem: pages.map(({ id }) => read.get(id)?.problem?.reason).find(Boolean),
        expected: expected.at(-1),
      },
    }
  })
  const placeOf = ({ answer }: AccountAnswer): number => PARTS.indexOf(answer.part)
  return answers.sort((a, b) => placeOf(a) - placeOf(b) || compareTexts(a.answer.key, b.answer.key))
}

async function countsBy<Row extends { rows: bigint }>(
  steps: Steps,
  step: string,
  nameOf: (row: Row) => string,
): Promise<Map<string, number>> {
  const rows = await steps.rows<Row>(step)
  return new Map(rows.map((row) => [nameOf(row), Number(row.rows)]))
}

/** The answer for one part and key of an account. */
interface PartAnswer {
  readonly part: PartName
  /** Account, symbol or conditional order. */
  readonly key: string
  /** Every page walk for it: a list that was short is walked again. */
  readonly walks: readonly PartWalk[]
  /** Number of distinct valid records. */
  readonly distinct: number
  readonly rejected: number
  /** Why a page of the answer cannot be read at all. */
  readonly problem: string | undefined
  /** Number of records that the service counts; undefined if it does not. */
  readonly expected: number | undefined
}

/** Parts that cannot be empty: every account has a balance, and every symbol a maximum quantity. */
const NEVER_EMPTY: readonly PartName[] = ['accountBalance', 'ppmmrAccount', 'maxBuySell']

/** Why an answer is not complete; undefined if it is. Distinct records count, not the pages that they are in. */
function whatIsMissing(answer: PartAnswer): string | undefined {
  const { part, key, walks, distinct, rejected, problem, expected } = answer
  const { about, key: keyed } = parts[part]
  const name = keyed === 'symbol' || keyed === 'order' ? `${about} of ${key}` : about
  if (problem) return `${name}: ${problem}`
  if (rejected > 0) return `${name}: ${counted(rejected, 'record')} rejected`
  const refused = walks.find((walk) => walk.end.state === 'refused')
  if (refused) return `${name}: refused: ${refused.end.reason ?? ''}`
  if (expected !== undefined && distinct !== expected)
    return `${name}: ${distinct} of the ${expected} that the service counts`
  if (expected === undefined && walks.every((walk) => walk.end.state === 'incomplete'))
    return `${name}: ${walks.at(-1)?.end.reason ?? 'incomplete'}`
  if (distinct === 0 && NEVER_EMPTY.includes(part)) return `${name}: the answer holds no figures`
  return undefined
}

/** How the reason begins. Stored reasons are found again by it: they count the days without the account. */
export const NOT_LISTED = 'the list of accounts no longer names it'

interface UnlistedAccount {
  account_no: string
  /** Trading date of its latest snapshot that was requested. */
  read_on: Day
  unlisted_days: number
}

/**
 * Account → why its snapshot is missing: the key read it last, and the key's complete list no longer names it. A service that
 * leaves an account out would otherwise end its history without a word, and its snapshot of that day cannot be fetched again. An
 * account that was closed is believed on the third trading date.
 *
 * @param others accounts of the list that another key of the run has read
 */
async function unlistedAccounts(
  steps: Steps,
  keyName: string,
  asOf: Day,
  others: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const parts = { phrase: literal(NOT_LISTED), key_name: literal(keyName), day: literal(asOf) }
  const rows = await steps.rows<UnlistedAccount>('load/snapshot/unlisted_accounts', parts)
  const named = rows.filter(
    ({ account_no, unlisted_days }) => !others.includes(account_no) && unlisted_days < DAYS_TO_BELIEVE - 1,
  )
  return new Map(
    named.map(({ account_no, read_on }) => [
      account_no,
      `${NOT_LISTED}; its latest snapshot is of ${read_on}`,
    ]),
  )
}
