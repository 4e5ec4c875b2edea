import { type Drawing, INK, LINE, MUTED, type Room, text } from './draw.js'

/** One bar of a chart whose bars go to both sides of zero. */
export interface SignedBar {
  readonly name: string
  readonly value: number
  /** Beside the bar, with its sign. */
  readonly label: string
  readonly color: string
}

const ROW = 23

/** Horizontal bars to both sides of zero, first on top: names at the left edge, values at the ends of the bars. */
export function signedBars(bars: readonly SignedBar[], { width, isNarrow }: Room): Drawing {
  const most = Math.max(...bars.map(({ value }) => Math.abs(value)), 1e-9)
  const nameWidth = isNarrow ? 92 : 210
  const half = (width - nameWidth - 8) / 2
  // The longest bar leaves room for what is written beside it.
  const reach = (most * half) / (half - 78)
  return {
    height: bars.length * ROW + 8,
    option: {
      grid: { left: nameWidth, right: 8, top: 4, bottom: 4 },
      xAxis: { type: 'value', min: -reach, max: reach, show: false },
      yAxis: {
        type: 'category',
        inverse: true,
        data: bars.map(({ name }) => name),
        position: 'left',
        axisLine: { show: true, onZero: true, lineStyle: { color: LINE } },
        axisTick: { show: false },
        axisLabel: { show: false },
      },
      series: [
        {
          type: 'bar',
          silent: true,
          barWidth: 13,
          data: bars.map(({ value, label, color }) => ({
            value,
            itemStyle: { color, borderRadius: 2 },
            label: {
              show: true,
              position: value < 0 ? 'left' : 'right',
              formatter: () => label,
              ...text(INK),
            },
          })),
        },
        namesAtEdge(bars, reach, nameWidth),
      ],
    },
  }
}

/** The names as labels of invisible bars: those of the axis would stand beside zero. */
function namesAtEdge(bars: readonly SignedBar[], reach: number, nameWidth: number): Record<string, unknown> {
  return {
    type: 'bar',
    silent: true,
    barWidth: 13,
    barGap: '-100%',
    itemStyle: { color: 'transparent' },
    data: bars.map(({ name }) => ({
      value: -reach,
      label: {
        show: true,
        position: 'insideLeft',
        offset: [-nameWidth, 0],
        formatter: () => name,
        width: nameWidth + 4,
        overflow: 'truncate',
        ...text(MUTED),
      },
    })),
  }
}

/** One part of bars that are made of parts. */
export interface Part {
  readonly name: string
  readonly color: string
  /** By bar: how much of the bar, a fraction; and what is written in it. */
  readonly shares: readonly number[]
  readonly labels: readonly string[]
}

/** Bars of the same length, made of parts; a part with too little room has no label. */
export function partedBars(names: readonly string[], parts: readonly Part[], { isNarrow }: Room): Drawing {
  return {
    height: names.length * 28 + 8,
    option: {
      grid: { left: isNarrow ? 92 : 130, right: 8, top: 4, bottom: 4 },
      xAxis: { type: 'value', min: 0, max: 1, show: false },
      yAxis: {
        type: 'category',
        inverse: true,
        data: names,
        axisLine: { show: false },
        axisTick: { show: false },
        axisLabel: text(MUTED),
      },
      series: parts.map(({ name, color, shares, labels }) => ({
        name,
        type: 'bar',
        stack: 'all',
        silent: true,
        barWidth: 20,
        itemStyle: { color },
        data: shares.map((value, index) => ({
          value,
          label: {
            show: value > (isNarrow ? 0.13 : 0.05),
            position: 'inside',
            formatter: () => labels[index] ?? '',
            ...text(INK, 11),
          },
        })),
      })),
    },
  }
}
