import { createHash } from 'node:crypto'
import { BarChart, LineChart, TreemapChart } from 'echarts/charts'
import { GridComponent } from 'echarts/components'
import { type EChartsCoreOption, init, use } from 'echarts/core'
import { SVGRenderer } from 'echarts/renderers'
import { type Html, html, trusted } from '../html.js'

use([BarChart, LineChart, TreemapChart, GridComponent, SVGRenderer])

/** Room of a drawing in CSS pixels: its text keeps its size, so a phone has a drawing of its own. */
export interface Room {
  readonly width: number
  readonly isNarrow: boolean
}

const ROOMS: readonly Room[] = [
  { width: 920, isNarrow: false },
  { width: 344, isNarrow: true },
]

/** What a chart draws in a room. */
export interface Drawing {
  readonly height: number
  readonly option: EChartsCoreOption
}

/** Colours are variables of the page: one drawing is right in light, in dark and on paper. */
export const INK = 'var(--ink)'
export const MUTED = 'var(--muted)'
export const LINE = 'var(--line)'
export const CARD = 'var(--card)'
export const ACCENT = 'var(--accent)'
const FONT = 'system-ui, sans-serif'

export function text(color = INK, fontSize = 12): Record<string, unknown> {
  return { color, fontSize, fontFamily: FONT }
}

/**
 * A chart as SVG, once per room; the page shows the one that fits.
 *
 * @param label read out instead of the drawing
 */
export function drawn(label: string, chart: (room: Room) => Drawing): Html {
  return html`${ROOMS.map((room) => {
    const { height, option } = chart(room)
    const kind = room.isNarrow ? 'narrow' : 'wide'
    return html`<div class="drawing ${kind}" role="img" aria-label="${label}">${svgOf(option, room.width, height)}</div>`
  })}`
}

function svgOf(option: EChartsCoreOption, width: number, height: number): Html {
  const chart = init(null, null, { renderer: 'svg', ssr: true, width, height })
  chart.setOption({ animation: false, textStyle: { fontFamily: FONT }, ...option })
  const svg = chart.renderToSVGString()
  chart.dispose()
  return trusted(inlined(svg))
}

/**
 * The drawing as a part of a page: as wide as its place, without name spaces and without what a script or a pointer would
 * need. Names come from the content, so that a report is the same twice and no two drawings share one.
 */
function inlined(svg: string): string {
  const plain = svg
    .replace(/<style ?>.*?<\/style>/gs, '')
    .replace(
      / (?:xmlns(?::xlink)?|ecmeta_\w+|pointer-events|class|baseProfile|version|xml:space)="[^"]*"/g,
      '',
    )
    .replace(/zr\d+-/g, 'zr-')
    .replace(/<svg width/, '<svg aria-hidden="true" width')
  const name = createHash('sha256').update(plain).digest('hex').slice(0, 8)
  return plain.replace(/\bzr-/g, `d${name}-`)
}
