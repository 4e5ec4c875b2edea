import { fieldColumns } from 'candlehouse-foundation/fields/field'
import { literal } from '../../duckdb/sqlfile.js'
import { parts } from '../../plan/parts.js'
import type { Steps } from '../steps.js'
import { ACCOUNT_TABLES, type AccountTable, fieldsOf } from './account-tables.js'
import type { AccountRecord } from './page-records.js'
import type { ReceivedSnapshot } from './received-snapshot.js'

/** How a field of a table's records counts as lost. Every other field: null is a loss where every earlier row had a value. */
interface LostRule {
  readonly table: AccountTable
  /** Columns that name the earlier rows that a record is compared with; none: all rows. */
  readonly group: readonly string[]
  /** A record without them is none, whatever earlier answers had. */
  readonly certain?: readonly string[]
  readonly optional?: Optional
}

/**
 * Fields that may rightly be null, and that a service may then not send. Such a field is lost where it is absent although every
 * earlier record of the same kind had it.
 */
interface Optional {
  readonly fields: readonly string[]
  /** What kind of record it is, as SQL on stored rows and as read from a record: both give the same text. */
  readonly kind: string
  readonly kindOf: (fields: AccountRecord['fields']) => string
}

/** A position may change its side: then it has no price of the former one. */
const PRICES_OF_A_SIDE: Optional = {
  fields: ['bidAvgPrice', 'askAvgPrice', 'tradePrice'],
  kind: "if(coalesce(long, 0) <> 0, 'long', '') || if(coalesce(short, 0) <> 0, 'short', '')",
  kindOf: ({ long, short }) => `${isOther(long) ? 'long' : ''}${isOther(short) ? 'short' : ''}`,
}

/** An order that is not filled has no average price, one that went well no message. */
const OF_A_STATUS: Optional = {
  fields: ['clientRequestId', 'avgPrice', 'modifiedTime', 'message'],
  kind: "coalesce(order_status, '')",
  kindOf: ({ orderStatus }) => orderStatus ?? '',
}

/** An account that is not called may have no word for it: its release from a margin call would look like a loss for forty days. */
const WORDS_OF_A_CALL: Optional = { fields: ['action', 'actionBroker'], kind: "''", kindOf: () => '' }

/** Whether a quantity is other than zero. */
function isOther(quantity: string | null | undefined): boolean {
  return /[1-9]/.test(quantity ?? '')
}

const RULES: readonly LostRule[] = [
  ruleOf('equity_balance'),
  ruleOf('derivative_balance'),
  ruleOf('equity_margin', { optional: WORDS_OF_A_CALL }),
  ruleOf('derivative_margin'),
  ruleOf('equity_position'),
  ruleOf('derivative_position_summary', { optional: PRICES_OF_A_SIDE }),
  ruleOf('derivative_position', { optional: PRICES_OF_A_SIDE }),
  ruleOf('order_book', {
    group: [],
    certain: ['symbol', 'side', 'quantity', 'orderStatus'],
    optional: OF_A_STATUS,
  }),
]

/** A record is compared with the earlier rows of its key, unless the rule has another group. */
function ruleOf(name: string, rule: Partial<Omit<LostRule, 'table'>> = {}): LostRule {
  const table = ACCOUNT_TABLES.find((each) => each.name === name)
  if (!table) throw new RangeError(`account.${name} is not a table of a snapshot`)
  return { table, group: table.key, ...rule }
}

/** Fields that name a record: without them it is rejected, or named by its request. */
const KEYS: readonly string[] = ['accountNo', 'orderId']

/**
 * What the records of a snapshot have lost, by account: fields that no record of a group has, although each record must have
 * them, or the group's rows of the 40 days before had them; of optional fields the rows of the same kind. The group of a balance is
 * its account, that of a position its account and symbol, that of an account's orders all orders.
 *
 * @param day trading date of the snapshot
 */
export async function lostFields(
  snapshot: ReceivedSnapshot,
  day: string,
): Promise<ReadonlyMap<string, string>> {
  const lost = new Map<string, string[]>()
  for (const rule of RULES) {
    for (const [account, lines] of await lostOfTable(snapshot.steps, rule, groupsOf(rule, snapshot), day))
      lost.set(account, [...(lost.get(account) ?? []), ...lines])
  }
  return new Map([...lost].map(([account, lines]) => [account, lines.join('; ')]))
}

async function lostOfTable(
  steps: Steps,
  rule: LostRule,
  groups: readonly Group[],
  day: string,
): Promise<Map<string, string[]>> {
  const fields = fieldsOf(rule.table).filter((name) => !KEYS.includes(name))
  const lacking = groups.flatMap((group) =>
    fields
      .filter((name) => group.records.every((record) => (record.fields[name] ?? '') === ''))
      .map((name) => ({ group, name })),
  )
  const doubtful = new Set(lacking.map(({ name }) => name).filter((name) => !isCertain(rule, name)))
  const of = (names: string[]): Promise<EarlierValues> => earlierValues(steps, rule, names, day)
  const [required, optional] = [false, true].map((is) =>
    [...doubtful].filter((name) => isOptional(rule, name) === is),
  )
  const earlier = new Map([...(await of(required ?? [])), ...(await of(optional ?? []))])
  const lost = lacking.filter(({ group, name }) => isLost(rule, name, group, earlier))
  const lines = new Map<string, string[]>()
  for (const account of new Set(lost.map(({ group }) => group.account))) {
    const counts = new Map<string, number>()
    for (const { group, name } of lost.filter((each) => each.group.account === account))
      counts.set(name, (counts.get(name) ?? 0) + group.records.length)
    const ofAccount = groups.filter((group) => group.account === account)
    const total = ofAccount.reduce((sum, { records }) => sum + records.length, 0)
    lines.set(account, linesOf(parts[rule.table.part].about, counts, total))
  }
  return lines
}

function linesOf(about: string, byField: ReadonlyMap<string, number>, total: number): string[] {
  return [...new Set(byField.values())].map((count) => {
    const names = [...byField].filter(([, records]) => records === count).map(([name]) => name)
    const what = names.length === 1 ? `field ${names[0]} is` : `fields ${names.join(', ')} are`
    return `${about}: ${what} missing in ${count} of ${total} records`
  })
}

/** Whether any, and whether every earlier row of a group and kind had a value. */
interface Earlier {
  readonly group: string
  readonly kind: string
  readonly name: string
  readonly any: boolean | null
  readonly every: boolean | null
}

type EarlierValues = ReadonlyMap<string, Earlier>

function isCertain({ certain = [] }: LostRule, name: string): boolean {
  return certain.includes(name)
}

function isOptional({ optional }: LostRule, name: string): boolean {
  return optional?.fields.includes(name) ?? false
}

function isLost(rule: LostRule, name: string, group: Group, earlier: EarlierValues): boolean {
  if (isCertain(rule, name)) return true
  const { records } = group
  const isAbsent = records.every(({ fields }) => !(name in fields))
  const { optional } = rule
  if (optional?.fields.includes(name)) {
    const kinds = records.map(({ fields }) => earlierOf(group.name, optional.kindOf(fields), name))
    return isAbsent && kinds.some((kind) => earlier.get(kind)?.every === true)
  }
  const ofGroup = earlier.get(earlierOf(group.name, '', name))
  return (isAbsent && ofGroup?.any === true) || ofGroup?.every === true
}

/** Key of the earlier values of a field; the kind is empty for fields that are not optional. */
function earlierOf(group: string, kind: string, name: string): string {
  return [group, kind, name].join('\n')
}

interface Group {
  readonly name: string
  readonly account: string
  readonly records: AccountRecord[]
}

/** Records that are compared with the same earlier rows; those of two accounts are never one group. */
function groupsOf({ table, group }: LostRule, { pages, read }: ReceivedSnapshot): Group[] {
  const groups = new Map<string, Group>()
  for (const page of pages) {
    const account = page.account ?? ''
    for (const record of read.get(page.id)?.records ?? []) {
      // A record that is not an object is rejected: no field of it counts as lost.
      if (record.table !== table.name || !record.text.startsWith('{')) continue
      const values: Readonly<Record<string, string | null | undefined>> = {
        account_no: account,
        symbol: record.fields.symbol,
        side_of_book: record.side,
      }
      const name = group.map((column) => values[column] ?? '').join(' ')
      const key = `${account} ${name}`
      const known = groups.get(key)
      if (known) known.records.push(record)
      else groups.set(key, { name, account, records: [record] })
    }
  }
  return [...groups.values()]
}

/** @param names of fields that are all optional, or none of them is */
async function earlierValues(
  steps: Steps,
  rule: LostRule,
  names: readonly string[],
  day: string,
): Promise<EarlierValues> {
  const [first] = names
  if (first === undefined) return new Map()
  const { table, group, optional } = rule
  const kind = optional && isOptional(rule, first) ? optional.kind : "''"
  const columns = fieldColumns(table.fields).filter(({ name }) => names.includes(name))
  const fields = columns.map(({ column, name }) => {
    return `{'name': ${literal(name)}, 'any': bool_or(${column} IS NOT NULL), 'every': bool_and(${column} IS NOT NULL)}`
  })
  const rows = await steps.rows<Earlier>('load/snapshot/earlier_values', {
    relation: `account.${table.name}`,
    group: group.length === 0 ? "''" : `concat_ws(' ', ${group.join(', ')})`,
    kind,
    fields: fields.join(',\n  '),
    day: literal(day),
  })
  return new Map(rows.map((row) => [earlierOf(row.group, row.kind, row.name), row]))
}
