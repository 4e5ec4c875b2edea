import { provePage } from 'candlehouse-foundation/json/page'
import { elementTexts, memberTexts } from 'candlehouse-foundation/json/source'
import type { PageRecord } from '../../land/journal.js'
import type { PartName } from '../../plan/parts.js'
import { type PageProblem, readPageText } from '../page-text.js'
import { readRecord, type SingleRecord } from '../single-records.js'
import { ACCOUNT_LIST, ACCOUNT_TABLES, fieldsOf } from './account-tables.js'
import { type Suffixes, spellings } from './fields.js'

/** One record of an account's page, as source text, and the table it belongs to. */
export interface AccountRecord extends SingleRecord {
  readonly table: string
  /** Position in the page, from 1. */
  readonly ordinal: number
  /** `open` or `close` for derivative positions: the list it stood in. */
  readonly side: string | null
}

export interface AccountPage {
  readonly records: readonly AccountRecord[]
  /** Records there are in all, as the service counts them; undefined where the page has no count. */
  readonly expected: number | undefined
  /** Field names that the specification does not know. */
  readonly drift: readonly string[]
  /** Why the page cannot be read at all. */
  readonly problem?: PageProblem
}

const NOTHING: AccountPage = { records: [], expected: undefined, drift: [] }

interface TableRecord {
  readonly table: string
  readonly text: string
  readonly side?: string
}

const COUNTS = ['totalrecord', 'itemscount']

/** Reads a landed page of a part, once. */
export type AccountReader = (page: PageRecord, part: PartName) => AccountPage

/**
 * Reads landed pages of account parts, and remembers them: a snapshot is planned and loaded from the same pages. Values keep
 * their source text: only SQL decides what is a number. Nothing that a page holds makes this throw.
 */
export function accountReader(home: string, suffixes: Suffixes): AccountReader {
  const names = new Map(
    [ACCOUNT_LIST, ...ACCOUNT_TABLES].map((table) => [table.name, spellings(fieldsOf(table), suffixes)]),
  )
  const pages = new Map<string, AccountPage>()
  return (page, part) => {
    const known = pages.get(page.id)
    if (known) return known
    const read = readPageText(home, page, (text) => {
      provePage(text)
      return readBody(text.toString('utf8').trimStart(), part, names)
    })
    // A page without records is a refusal or nothing, in whatever words: neither has fields that a record may have.
    const records = page.rows > 0 ? { ...NOTHING, ...read } : NOTHING
    pages.set(page.id, records)
    return records
  }
}

/** @param body a proven document */
function readBody(
  body: string,
  part: PartName,
  names: ReadonlyMap<string, ReadonlyMap<string, string>>,
): AccountPage {
  const drift = new Set<string>()
  const records = RECORDS_OF[part](body).map(({ table, text, side }, index) => {
    const known = names.get(table) ?? new Map<string, string>()
    if (text.startsWith('{')) {
      for (const [name] of memberTexts(text)) {
        if (!known.has(name.toLowerCase()) && !isParams(name)) drift.add(name)
      }
    }
    return { ...readFlat(text, known), table, ordinal: index + 1, side: side ?? null }
  })
  return { records, expected: expectedOf(body), drift: [...drift] }
}

/** Where each part's records are (docs/brokerage-api.md#accounts), in any case, inside `data` or not. */
const RECORDS_OF: Readonly<Record<PartName, (body: string) => TableRecord[]>> = {
  accountInfo: (body) => list('account', body.startsWith('[') ? body : member(body, 'data')),
  accountBalance: (body) => sides(body, 'equity_balance', 'derivative_balance'),
  ppmmrAccount: (body) => sides(body, 'equity_margin', 'derivative_margin'),
  position: (body) => {
    const holder = inside(body)
    return [...list('equity_position', member(holder, 'equity')), ...summary(member(holder, 'derivative'))]
  },
  positionDetail: (body) => {
    const derivative = member(inside(body), 'derivative')
    return derivativeLists(derivative).map((record) => ({ ...record, table: 'derivative_position' }))
  },
  orderBook: (body) => list('order_book', member(inside(body), 'orderList') ?? member(body, 'orderList')),
  fcoList: (body) => list('conditional_order', member(inside(body), 'fcoList') ?? member(body, 'fcoList')),
  fcoStatusHistory: (body) =>
    list('conditional_order_event', body.startsWith('[') ? body : member(body, 'data')),
  maxBuySell: (body) => single('max_quantity', inside(body)),
}

/**
 * A balance's or margin's two sides. The one that does not apply is absent, null, or blank: it names no
 * account, and its figures are empty or zero.
 */
function sides(body: string, equity: string, derivative: string): TableRecord[] {
  const holder = inside(body)
  return [
    ...single(equity, member(holder, 'equity')),
    ...single(derivative, member(holder, 'derivative')),
  ].filter(({ text }) => memberTexts(text).some(([, value]) => !BLANK.test(value)))
}

const BLANK = /^(null|"[\s0.,]*"|0+(\.0+)?)$/

/**
 * A summary has one row per symbol: the open one, or the closed one where nothing is open. Some deployments send the
 * rows as a plain list.
 */
function summary(derivative: string | undefined): TableRecord[] {
  const rows = derivative?.startsWith('[')
    ? list('derivative_position_summary', derivative)
    : derivativeLists(derivative)
  const open = new Set(rows.filter(({ side }) => side !== 'close').map(({ text }) => member(text, 'symbol')))
  return rows
    .filter(({ side, text }) => side !== 'close' || !open.has(member(text, 'symbol')))
    .map(({ text }) => ({ table: 'derivative_position_summary', text }))
}

function derivativeLists(derivative: string | undefined): TableRecord[] {
  const sideOf = (name: string, side: string): TableRecord[] =>
    list('derivative_position', member(derivative, name)).map((record) => ({ ...record, side }))
  return [...sideOf('derOpenPositions', 'open'), ...sideOf('derClosePositions', 'close')]
}

function list(table: string, text: string | undefined): TableRecord[] {
  return text?.startsWith('[') ? elementTexts(text).map((element) => ({ table, text: element })) : []
}

function single(table: string, text: string | undefined): TableRecord[] {
  return text?.startsWith('{') ? [{ table, text }] : []
}

/** The answer, or what it holds in `data`. */
function inside(body: string): string {
  return member(body, 'data') ?? body
}

/** Source text of a member, in any case. */
function member(text: string | undefined, name: string): string | undefined {
  if (!text?.startsWith('{')) return undefined
  for (const [key, value] of memberTexts(text)) if (key.toLowerCase() === name.toLowerCase()) return value
  return undefined
}

/** A conditional order's `params` are read as fields of its own (docs/brokerage-api.md#names-in-the-warehouse). */
function readFlat(text: string, names: ReadonlyMap<string, string>): SingleRecord {
  const record = readRecord(text, names)
  if (record.fault !== null) return record
  const nested = memberTexts(text).find(([name]) => isParams(name))?.[1]
  if (!nested?.startsWith('{')) return record
  const { fields, fault } = readRecord(nested, names)
  return { ...record, fields: { ...record.fields, ...fields }, fault }
}

function isParams(name: string): boolean {
  return name.toLowerCase() === 'params'
}

function expectedOf(body: string): number | undefined {
  for (const holder of [inside(body), body]) {
    if (!holder.startsWith('{')) continue
    for (const [name, value] of memberTexts(holder)) {
      const digits = value.replaceAll('"', '')
      if (COUNTS.includes(name.toLowerCase()) && /^\d{1,15}$/.test(digits)) return Number(digits)
    }
  }
  return undefined
}
