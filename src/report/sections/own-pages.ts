import { isNumberType } from 'candlehouse-foundation/number-text'
import { ownFile } from '../../mine/own-files.js'
import type { BlockRows } from '../../mine/own-pages/block-rows.js'
import type { PageBlock, PageNode } from '../../mine/own-pages/own-page.js'
import { type ChartModel, chartModel, namedChoice } from '../../read/chart-model.js'
import { roundedCell } from '../../read/shown-cell.js'
import type { Draw } from '../charts/draw.js'
import { resultDrawing, seriesColor } from '../charts/result-charts.js'
import { decimal } from '../figures.js'
import { type Html, html, trusted } from '../html.js'
import type { PageResult, PartResult } from '../model/page-results.js'
import { folded, nothing, section, table } from './blocks.js'

export function ownPageSectionId({ name }: PageResult): string {
  return `page-${name}`
}

/** A page of the user's own. A block that cannot be shown says why, in its place. */
export function ownPageSection(page: PageResult, draw: Draw): Html {
  return section(
    ownPageSectionId(page),
    page.title,
    false,
    page.parts.map((part) => partHtml(page, part, draw)),
  )
}

function partHtml(page: PageResult, part: PartResult, draw: Draw): Html {
  if (part.kind === 'text') return html`<div class="written">${part.nodes.map(nodeHtml)}</div>`
  if (part.kind === 'unread') return fault(part.words)
  const place = (line: number): string => `${ownFile('page', page.name)}:${line}: `
  if (part.kind === 'wrong') return fault(place(part.line) + part.words)
  const { block, result } = part
  if ('wrong' in result) return fault(place(result.line) + result.wrong, result.hint)
  if (result.rows.length === 0) return nothing(`${block.title}: no rows.`)
  return block.shownAs === 'chart'
    ? chartHtml(block, result, draw, place(block.line - 1))
    : tableHtml(block.title, result)
}

type Rows = Exclude<BlockRows, { wrong: string }>

function fault(words: string, hint?: string): Html {
  return html`<div class="finding break"><p>${words}${hint === undefined ? '' : `; ${hint}`}</p></div>`
}

function tableHtml(title: string, { columns, rows, isCut }: Rows): Html {
  const caption = isCut ? `${title} (the first ${decimal(rows.length)} rows)` : title
  return table(
    caption,
    columns.map(({ name, type }) => ({ title: name.replaceAll('_', ' '), isFigure: isNumberType(type) })),
    rows.map((row) =>
      columns.map((column, index) => (row[index] === null ? '–' : roundedCell(row[index], column))),
    ),
  )
}

/** Rows of the table behind a chart; the console has all. */
const MOST_NUMBERS = 60

function chartHtml(block: PageBlock, result: Rows, draw: Draw, place: string): Html {
  const { columns, rows } = result
  const choice = namedChoice(columns, rows, block)
  if (typeof choice === 'string') return fault(place + choice)
  const model = chartModel(columns, rows, choice)
  const over = columns[choice.over]
  const labels =
    model.kind === 'categories' ? model.categories : model.positions.map((at) => timeLabel(at, over?.type))
  const names = model.series.map(({ name }) => name).join(', ')
  const remarks = [...(result.isCut ? [`The first ${decimal(rows.length)} rows.`] : []), ...model.remarks]
  const last = {
    ...result,
    rows: rows.slice(0, MOST_NUMBERS),
    isCut: result.isCut || rows.length > MOST_NUMBERS,
  }
  return html`<figure><figcaption><h3>${block.title}</h3>${model.series.length > 1 && legend(model)}</figcaption>
${draw(`${block.title}. ${names} over ${over?.name}.`, (room) => resultDrawing(model, labels, room))}
${remarks.length > 0 && html`<p class="why">${remarks.join(' ')}</p>`}
${folded(`The numbers: ${block.title}`, tableHtml(block.title, last))}
</figure>`
}

function legend({ series }: ChartModel): Html {
  return html`<ul class="legend">${series.map(
    ({ name }, index) =>
      html`<li><span class="series" style="background:${seriesColor(index)}" aria-hidden="true"></span> ${name}</li>`,
  )}</ul>`
}

function timeLabel(seconds: number, type = ''): string {
  const text = new Date(seconds * 1000).toISOString()
  return type === 'DATE' ? text.slice(0, 10) : text.slice(0, 16).replace('T', ' ')
}

/** Only tags of `PageTag` come here, and text is escaped. */
function nodeHtml(node: PageNode): Html {
  if (typeof node === 'string') return html`${node}`
  const { tag, href, children } = node
  if (tag === 'br' || tag === 'hr') return trusted(`<${tag}>`)
  const name = trusted(tag)
  // Places in the console lead nowhere in a file.
  const isLink = href !== undefined && !href.startsWith('#')
  if (tag === 'a' && !isLink) return html`<span>${children.map(nodeHtml)}</span>`
  const address = isLink && html` href="${href}" rel="noreferrer"`
  return html`<${name}${address}>${children.map(nodeHtml)}</${name}>`
}
