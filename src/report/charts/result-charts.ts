import type { ChartModel } from '../../read/chart-model.js'
import { moneyAxis, plainAxis } from '../figures.js'
import { ACCENT, type Drawing, INK, LINE, MUTED, type Room, text } from './draw.js'
import { valueBounds } from './line-charts.js'
import { colorOf } from './tones.js'

/** Colours of series; lines differ by their dashes too. */
const COLORS = [
  ACCENT,
  colorOf('down'),
  colorOf('up'),
  colorOf('ceiling'),
  INK,
  MUTED,
  colorOf('floor'),
  colorOf('reference'),
]
const DASHES = ['solid', [8, 4], [2, 3], [12, 3, 2, 3], 'solid', [8, 4], [2, 3], [12, 3, 2, 3]] as const

/** Colour of a series, for its name beside the chart. */
export function seriesColor(index: number): string {
  return COLORS[index % COLORS.length] ?? INK
}

/** The result of a statement: lines over days, instants or a number, or bars by a text. */
export function resultDrawing(model: ChartModel, labels: readonly string[], { isNarrow }: Room): Drawing {
  const isBars = model.kind === 'categories'
  // A bar begins at zero.
  const { min, max } = isBars ? barBounds(model) : valueBounds(model.series)
  const isMany = isBars && labels.length > (isNarrow ? 4 : 10)
  const format = Math.max(Math.abs(min), Math.abs(max)) >= 1e6 ? moneyAxis(max - min) : plainAxis(max - min)
  const label = text(MUTED, 11)
  const horizontal =
    model.kind === 'numbers'
      ? { type: 'value', scale: true, axisLabel: label, splitLine: { show: false } }
      : {
          type: 'category',
          data: labels,
          axisLabel: {
            ...label,
            hideOverlap: true,
            ...(isMany ? { rotate: 45, width: 90, overflow: 'truncate' } : {}),
          },
        }
  return {
    height: isMany ? 320 : 260,
    option: {
      grid: { left: 74, right: 16, top: 14, bottom: isMany ? 96 : 30 },
      xAxis: {
        ...horizontal,
        axisLine: { onZero: isBars, lineStyle: { color: LINE } },
        axisTick: { show: false },
      },
      yAxis: {
        type: 'value',
        min,
        max,
        splitNumber: isNarrow ? 3 : 4,
        splitLine: { showMinLine: false, showMaxLine: false, lineStyle: { color: LINE } },
        axisLabel: { ...label, formatter: format, showMinLabel: isBars, showMaxLabel: false },
      },
      series: model.series.map(({ name, values }, index) => ({
        name,
        silent: true,
        itemStyle: { color: seriesColor(index) },
        ...(isBars
          ? { type: 'bar', barMaxWidth: 28, data: values }
          : {
              type: 'line',
              data:
                model.kind === 'numbers' ? values.map((value, at) => [model.positions[at], value]) : values,
              connectNulls: true,
              symbol: values.length < 12 ? 'circle' : 'none',
              symbolSize: 5,
              lineStyle: { color: seriesColor(index), width: 2, type: DASHES[index % DASHES.length] },
            }),
      })),
    },
  }
}

function barBounds({ series }: ChartModel): { min: number; max: number } {
  const values = [0, ...series.flatMap((each) => each.values).filter((value) => value !== null)]
  const [least, most] = [Math.min(...values), Math.max(...values)]
  const room = (most - least) * 0.05 || 1
  return { min: least < 0 ? least - room : 0, max: most > 0 ? most + room : 0 }
}
