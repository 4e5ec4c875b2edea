import { createHash } from 'node:crypto'
import { BarChart, LineChart, TreemapChart } from 'echarts/charts'
import { GridComponent } from 'echarts/components'
import { init, use } from 'echarts/core'
import { LabelLayout } from 'echarts/features'
import { SVGRenderer } from 'echarts/renderers'
import { type Drawing, FONT, type Room } from './draw.js'

use([BarChart, LineChart, TreemapChart, GridComponent, LabelLayout, SVGRenderer])

/** A chart as SVG text, to be a part of a page. */
export function svgOf({ height, option }: Drawing, { width }: Room): string {
  const chart = init(null, null, { renderer: 'svg', ssr: true, width, height })
  chart.setOption({ animation: false, textStyle: { fontFamily: FONT }, ...withoutMembers(option) })
  const svg = chart.renderToSVGString()
  chart.dispose()
  return inlined(svg)
}

/** What every object has. */
const MEMBERS = new RegExp(`(${Object.getOwnPropertyNames(Object.prototype).join('|')})`, 'g')

/**
 * The option with no text that is a member of every object: ECharts keeps widths of texts in a plain object, and a symbol of the
 * name `__proto__` made it write `next` and `prev` into `Object.prototype` (zrender 6, core/LRU), after which DuckDB opened no
 * database in this process. A space of no width breaks such a text.
 */
function withoutMembers<Value>(value: Value): Value {
  const safe = (part: unknown): unknown => {
    if (typeof part === 'string') return part.replace(MEMBERS, (name) => `${name[0]}\u200b${name.slice(1)}`)
    if (typeof part === 'function') return (...args: unknown[]) => safe(part(...args))
    if (Array.isArray(part)) return part.map(safe)
    if (part === null || typeof part !== 'object') return part
    return Object.fromEntries(Object.entries(part).map(([key, inner]) => [key, safe(inner)]))
  }
  return safe(value) as Value
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
