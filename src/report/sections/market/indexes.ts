import { type Part, partedBars } from '../../charts/bar-charts.js'
import { ACCENT, type Draw, INK, MUTED } from '../../charts/draw.js'
import { type Line, namedLines } from '../../charts/line-charts.js'
import { change, date, decimal, money, plainAxis, plural, signed } from '../../figures.js'
import { type Html, html } from '../../html.js'
import type { IndexDay, Market } from '../../model/market.js'
import { columns, figure, table, tile, tiles, tonedChange } from '../blocks.js'

/** The main indexes: value, change, breadth. */
export function indexTiles({ indexes }: Market): Html {
  return tiles(
    ...indexes
      .slice(0, 4)
      .map((index) =>
        tile(
          index.index_code,
          decimal(index.index_value, 2),
          html`${tonedChange(index.change_part)} <br>${breadthWords(index)}`,
        ),
      ),
  )
}

function breadthWords({ advance, decline, no_change }: IndexDay): string | false {
  return advance === null || decline === null
    ? false
    : `${decimal(advance)} rose, ${decimal(decline)} fell, ${decimal(no_change ?? 0)} unchanged`
}

/** Colours and dashes: each line differs from the others by its dashes alone. */
const STYLES: readonly Pick<Line, 'color' | 'dash'>[] = [
  { color: INK, dash: 'solid' },
  { color: ACCENT, dash: [10, 3, 2, 3] },
  { color: MUTED, dash: 'dashed' },
  { color: MUTED, dash: 'dotted' },
]

/** The main indexes from a common 100. */
export function indexFigure({ indexHistory }: Market, draw: Draw): Html | false {
  const days = [...new Set(indexHistory.map(({ trading_date }) => trading_date))].sort()
  const codes = [...new Set(indexHistory.map(({ index_code }) => index_code))]
  if (days.length < 2) return false
  const lines = codes.map((code, index): Line => {
    const points = new Map(
      indexHistory
        .filter(({ index_code }) => index_code === code)
        .map(({ trading_date, index_value }) => [trading_date, index_value]),
    )
    const first = days.map((day) => points.get(day)).find((value) => value !== undefined) ?? 1
    const last = [...points.values()].at(-1) ?? first
    return {
      name: code,
      label: `${code} ${change(last / first - 1, 1)}`,
      ...(STYLES[index] ?? { color: MUTED, dash: 'dotted' }),
      values: days.map((day) => {
        const value = points.get(day)
        return value === undefined ? null : (100 * value) / first
      }),
    }
  })
  const sentence = `${plural(days.length, 'session')} from ${date(days[0] ?? null)}, which is 100: ${lines.map(({ label }) => label).join(', ')}.`
  return figure(
    'Indexes',
    sentence,
    draw(`Indexes. ${sentence}`, (room) => namedLines(days, lines, plainAxis, room)),
    table(
      'Index values, points',
      [{ title: 'Session' }, ...codes.map((title) => ({ title, isFigure: true }))],
      [...days]
        .reverse()
        .map((day) => [
          date(day),
          ...codes.map((code) =>
            decimal(
              indexHistory.find(({ index_code, trading_date }) => index_code === code && trading_date === day)
                ?.index_value,
              2,
            ),
          ),
        ]),
    ),
  )
}

/** How many of each index's stocks rose and fell. */
export function breadthFigure({ indexes }: Market, draw: Draw): Html | false {
  const shown = indexes.filter(
    ({ advance, decline, no_change }) => (advance ?? 0) + (decline ?? 0) + (no_change ?? 0) > 0,
  )
  const [first] = shown
  if (!first) return false
  const count = {
    ceiling: ({ ceiling }: IndexDay) => ceiling ?? 0,
    up: ({ advance, ceiling }: IndexDay) => Math.max(0, (advance ?? 0) - (ceiling ?? 0)),
    reference: ({ no_change }: IndexDay) => no_change ?? 0,
    down: ({ decline, floor }: IndexDay) => Math.max(0, (decline ?? 0) - (floor ?? 0)),
    floor: ({ floor }: IndexDay) => floor ?? 0,
  }
  const total = (index: IndexDay): number => Object.values(count).reduce((sum, of) => sum + of(index), 0)
  const arrows = { ceiling: '⤒', up: '▲', reference: '■', down: '▼', floor: '⤓' }
  const parts = (['ceiling', 'up', 'reference', 'down', 'floor'] as const).map(
    (tone): Part => ({
      name: tone,
      color: `var(--${tone}-3)`,
      shares: shown.map((index) => count[tone](index) / total(index)),
      labels: shown.map((index) => `${arrows[tone]} ${decimal(count[tone](index))}`),
    }),
  )
  const sentence = `${first.index_code}: ${breadthWords(first)}; ${decimal(count.ceiling(first))} closed at the ceiling ⤒, ${decimal(count.floor(first))} at the floor ⤓.`
  return figure(
    'Breadth',
    sentence,
    draw(`Breadth. ${sentence}`, (room) =>
      partedBars(
        shown.map(({ index_code }) => index_code),
        parts,
        room,
      ),
    ),
    indexTable(indexes),
  )
}

function indexTable(indexes: readonly IndexDay[]): Html {
  return table(
    'Indexes of the session; values in VND',
    columns(
      'Index',
      '#Value',
      '#Change',
      '#Change, %',
      '#Matched',
      '#Deals',
      '#Rose',
      '#Ceiling',
      '#Fell',
      '#Floor',
      '#Same',
    ),
    indexes.map((index) => [
      index.index_code,
      decimal(index.index_value, 2),
      signed(index.index_change, 2),
      tonedChange(index.change_part),
      money(index.match_value),
      money(index.deal_value),
      ...[index.advance, index.ceiling, index.decline, index.floor, index.no_change].map((value) =>
        decimal(value),
      ),
    ]),
  )
}
