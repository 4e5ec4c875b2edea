import { date, decimal, groupedNumbers, keyValues, plural, price } from '../figures.js'
import { type Html, html } from '../html.js'
import type { Adjustment, Changes, ListingEvent, Membership, RevisedColumn } from '../model/changes.js'
import { columns, nothing, section, table } from './blocks.js'

const TITLE = 'What changed since the last night'

export function changesSection(changes: Changes | null): Html {
  if (!changes)
    return section('changes', TITLE, false, nothing('This is the first night: everything is new.'))
  const { before, revisions, listings, adjustments, memberships } = changes
  const isQuiet = revisions.length + listings.length + adjustments.length + memberships.length === 0
  return section(
    'changes',
    TITLE,
    sentence(changes),
    isQuiet
      ? nothing(`Nothing beside the new session: what was stored on ${date(before)} still holds.`)
      : html`${revisions.length > 0 && revisionTable(revisions)}
${listings.length > 0 && listingTable(listings)}
${adjustments.length > 0 && adjustmentTable(adjustments)}
${memberships.length > 0 && membershipTable(memberships)}`,
  )
}

function sentence({ before, revisions, listings, adjustments }: Changes): string {
  const values = revisions.reduce((sum, { changes }) => sum + changes, 0)
  const of = (event: ListingEvent['event']): number => listings.filter((each) => each.event === event).length
  return [
    `Since ${date(before)}: ${plural(values, 'stored value')} revised`,
    `${decimal(of('listed'))} listed`,
    `${decimal(of('no longer listed'))} no longer listed`,
    `${decimal(of('moved'))} moved to another board`,
    `${plural(adjustments.length, 'price adjustment')}.`,
  ].join(', ')
}

function revisionTable(revisions: readonly RevisedColumn[]): Html {
  return html`<h3>Revisions</h3>${table(
    'Values that the service restated',
    columns('Relation', 'Column', '#Values', '#Rows', 'Newest', '#Was', '#Is'),
    revisions.map((each) => [
      each.relation,
      each.column === '*' ? 'withdrawn' : each.column,
      decimal(each.changes),
      decimal(each.rows_changed),
      keyValues(each.key),
      each.column === '*' ? 'a row' : shownValue(each.old_value),
      shownValue(each.new_value),
    ]),
  )}`
}

/** A stored value as a person reads it; texts stay as they are. */
function shownValue(value: string | null): string {
  return value === null ? '–' : groupedNumbers(value)
}

function listingTable(listings: readonly ListingEvent[]): Html {
  return html`<h3>Listings and transfers</h3>${table(
    'Securities that came, went or moved',
    columns('Symbol', 'What', 'Board', 'Name', 'First seen'),
    listings.map((each) => [
      each.symbol,
      each.event,
      each.board_before === null ? each.board : `${each.board_before} → ${each.board}`,
      each.name ?? '–',
      date(each.trading_date),
    ]),
  )}`
}

function adjustmentTable(adjustments: readonly Adjustment[]): Html {
  return html`<h3>Adjustment events</h3>${table(
    'Corporate actions that reference prices show or files declare, VND',
    columns('Symbol', 'Ex-date', '#Basis', '#Reference', '#Factor', 'Basis is', 'State', 'Declared'),
    adjustments.map((each) => [
      each.symbol,
      date(each.ex_date),
      each.previous_basis === null ? '–' : price(each.previous_basis),
      each.ref_price === null ? '–' : price(each.ref_price),
      decimal(each.factor, 4),
      each.basis_kind ?? '–',
      each.state,
      each.kinds || 'nothing',
    ]),
  )}`
}

function membershipTable(memberships: readonly Membership[]): Html {
  return html`<h3>Index members</h3>${table(
    'Symbols that joined or left an index',
    columns('Index', 'Symbol', 'What', 'Since'),
    memberships.map((each) => [
      each.index_code,
      each.symbol,
      each.has_joined ? 'joined' : 'left',
      date(each.trading_date),
    ]),
  )}`
}
