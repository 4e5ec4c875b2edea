import { flow } from '../figures.js'
import type { FlowDay } from '../model/market.js'
import { ACCENT, CARD, type Drawing, INK, LINE, MUTED, type Room, text } from './draw.js'
import { shortDate } from './line-charts.js'

/** Net buying per session: foreign investors as full bars, proprietary desks as outlines. */
export function flowBars(flows: readonly FlowDay[], { isNarrow }: Room): Drawing {
  const shown = isNarrow ? flows.slice(-8) : flows
  const bar = { type: 'bar', silent: true, barMaxWidth: 18, barGap: '12%' }
  return {
    height: 240,
    option: {
      grid: { left: isNarrow ? 58 : 76, right: 8, top: 14, bottom: 28 },
      xAxis: {
        type: 'category',
        data: shown.map(({ trading_date }) => trading_date),
        axisLine: { onZero: true, lineStyle: { color: MUTED } },
        axisTick: { show: false },
        axisLabel: { ...text(MUTED, 11), formatter: (day: string) => shortDate(day), hideOverlap: true },
        position: 'bottom',
      },
      yAxis: {
        type: 'value',
        splitNumber: 4,
        splitLine: { lineStyle: { color: LINE } },
        axisLabel: { ...text(MUTED, 11), formatter: (value: number) => flow(value) },
      },
      series: [
        { ...bar, itemStyle: { color: ACCENT }, data: shown.map(({ foreign_net }) => foreign_net) },
        {
          ...bar,
          itemStyle: { color: CARD, borderColor: INK, borderWidth: 1.5 },
          data: shown.map(({ proprietary_net }) => proprietary_net),
        },
      ],
    },
  }
}
