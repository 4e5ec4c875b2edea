import type { Gap } from '../../night/gaps.js'
import { shortDate } from '../charts/line-charts.js'
import { date, decimal, plural } from '../figures.js'
import { type Html, html } from '../html.js'
import type { CellState, Coverage, CoverageCell, CoverageRow } from '../model/coverage.js'
import { columns, nothing, section, table } from './blocks.js'

/** Days before expiry at which a cell is marked. */
const EXPIRING_DAYS = 30

/** What a cell shows, so that its colour only repeats it. */
const SIGNS: Readonly<Record<CellState, { sign: string; words: string }>> = {
  complete: { sign: '●', words: 'complete' },
  incomplete: { sign: '◐', words: 'incomplete: to be requested again' },
  missing: { sign: '○', words: 'never requested, between sessions that were' },
  refused: { sign: '×', words: 'beyond what the service serves' },
  empty: { sign: '·', words: 'the service has nothing' },
  unasked: { sign: '', words: 'not requested' },
}

export function coverageSection(coverage: Coverage): Html {
  const { sessions, gaps, gapCount } = coverage
  if (sessions.length === 0)
    return section('coverage', 'Coverage', false, nothing('Nothing was requested yet.'))
  return section(
    'coverage',
    'Coverage',
    sentence(coverage),
    html`${coverageMap(coverage)}${legend()}${gapCount > 0 ? gapTable(gaps, gapCount) : false}`,
  )
}

function sentence({ sessions, rows, gapCount, gaps }: Coverage): string {
  const cells = rows.flatMap((row) => row.cells)
  const open = cells.filter(({ state }) => state === 'incomplete' || state === 'missing').length
  const reach = `${plural(sessions.length, 'session')} up to ${date(sessions.at(-1) ?? null)}`
  if (open === 0) return `${reach}: everything that was wanted is stored.`
  const [first] = gaps
  const days = first?.expiresInDays ?? null
  const expiry =
    first?.expiresOn && days !== null
      ? days < 0
        ? ` The first gap expired on ${date(first.expiresOn)}: the service no longer serves it.`
        : ` The first gap expires on ${date(first.expiresOn)}, in ${plural(days, 'day')}.`
      : ''
  return `${reach}: ${plural(open, 'place')} of the map open, ${plural(gapCount, 'incomplete window')} in all.${expiry}`
}

/** Datasets by sessions: a table, so that it is read out, copied and printed as one. */
function coverageMap({ sessions, rows }: Coverage): Html {
  const caption = 'Datasets by session'
  return html`<div class="scroll" role="region" tabindex="0" aria-label="${caption}"><table class="map">
<caption><span>${caption}<span class="sideways">: ${plural(sessions.length, 'session')}, scroll sideways →</span></span></caption>
<thead><tr><th scope="col">Dataset</th>${sessions.map(
    (day) => html`<th scope="col"><abbr title="${date(day)}">${dayAndMonth(day)}</abbr></th>`,
  )}</tr></thead>
<tbody>${rows.map(
    (row) => html`<tr><th scope="row">${nameOf(row)}</th>${row.cells.map(cell)}</tr>
`,
  )}</tbody>
</table></div>`
}

function dayAndMonth(day: string): Html {
  const [number, month] = shortDate(day).split(' ')
  return html`<b>${number}</b> ${month}`
}

function nameOf({ dataset, timeframe }: Pick<CoverageRow, 'dataset' | 'timeframe'>): string {
  return timeframe === '' ? dataset : `${dataset} ${timeframe}`
}

function cell({ day, state, windows, answered, rows, expiresInDays }: CoverageCell): Html {
  const { sign, words } = SIGNS[state]
  const part = state === 'incomplete' && windows > 0 ? ` ${decimal((100 * answered) / windows)}\u202f%` : ''
  const isExpiring = expiresInDays !== null && expiresInDays <= EXPIRING_DAYS
  const title = [
    `${date(day)}: ${words}`,
    ...(windows > 0 ? [`${decimal(answered)} of ${plural(windows, 'window')}`, plural(rows, 'record')] : []),
    ...(isExpiring ? [expiryWords(expiresInDays)] : []),
  ].join(', ')
  const spoken = isExpiring ? `${words}; ${expiryWords(expiresInDays)}` : words
  return html`<td class="${state}${isExpiring ? ' expiring' : ''}" title="${title}"><span aria-hidden="true">${sign}${part}${
    isExpiring ? ` ${expirySign(expiresInDays)}` : ''
  }</span><span class="spoken">${spoken}</span></td>`
}

/** Days until the service no longer serves it; below zero it already does not. */
function expiryWords(days: number): string {
  return days < 0 ? 'expired' : `expires in ${plural(days, 'day')}`
}

function expirySign(days: number): string {
  return days < 0 ? '✕' : `${days}\u202fd`
}

function legend(): Html {
  const entries = Object.entries(SIGNS).filter(([state]) => state !== 'unasked')
  return html`<ul class="legend">${entries.map(
    ([state, { sign, words }]) =>
      html`<li><span class="key ${state}" aria-hidden="true">${sign}</span> ${words}</li>`,
  )}<li><span class="key expiring" aria-hidden="true">9 d</span> days until it expires, within ${EXPIRING_DAYS}; ✕ expired</li></ul>`
}

function gapTable(gaps: readonly Gap[], gapCount: number): Html {
  const caption =
    gapCount > gaps.length ? `The ${gaps.length} of ${decimal(gapCount)} gaps that expire first` : 'Gaps'
  return html`<h3>Gaps</h3>${table(
    caption,
    columns('Window', 'Session', 'Expires', 'Why'),
    gaps.map((gap) => [
      `${nameOf(gap)} ${gap.key === '*' ? '' : gap.key}`,
      date(gap.day),
      gap.expiresOn === null ? 'never' : `${date(gap.expiresOn)} (${expiryWords(gap.expiresInDays ?? 0)})`,
      gap.reason,
    ]),
  )}`
}
