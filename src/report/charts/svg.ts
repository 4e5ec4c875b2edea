import { createHash } from 'node:crypto'
import { BarChart, LineChart, TreemapChart } from 'echarts/charts'
import { GridComponent } from 'echarts/components'
import { init, use } from 'echarts/core'
import { SVGRenderer } from 'echarts/renderers'
import { type Drawing, FONT, type Room } from './draw.js'

use([BarChart, LineChart, TreemapChart, GridComponent, SVGRenderer])

/** A chart as SVG text, to be a part of a page. */
export function svgOf({ height, option }: Drawing, { width }: Room): string {
  const chart = init(null, null, { renderer: 'svg', ssr: true, width, height })
  chart.setOption({ animation: false, textStyle: { fontFamily: FONT }, ...option })
  const svg = chart.renderToSVGString()
  chart.dispose()
  return inlined(svg)
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
