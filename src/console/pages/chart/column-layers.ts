import { type HistogramData, HistogramSeries, type IChartApi, type Time } from 'lightweight-charts'
import { amount } from '../words.js'
import type { Bars, ChartData } from './bars.js'
import type { Colours } from './colours.js'
import { type Layer, perBar, timeAt } from './layer.js'
import { PaneTitle } from './pane-title.js'

/** Shares and VND in words: `5 m`. */
const AMOUNTS = {
  type: 'custom',
  minMove: 1,
  formatter: (value: number) => amount(value).replace('.0 ', ' ').replace('-', '−'),
} as const

/** A pane of columns below the prices. */
function addColumns(chart: IChartApi, pane: number, title: string, colours: Colours) {
  const series = chart.addSeries(
    HistogramSeries,
    { priceFormat: AMOUNTS, priceLineVisible: false, lastValueVisible: false },
    pane,
  )
  series.attachPrimitive(new PaneTitle(title, colours.text))
  return series
}

export function drawVolume(
  chart: IChartApi,
  { bars, symbol, other }: ChartData,
  colours: Colours,
): Layer<unknown> {
  const { open, close, volume } = bars
  const series = addColumns(chart, 1, other === '' ? 'Volume' : `Volume of ${symbol}`, colours)
  const point = (index: number) => {
    // A value has no opening: the bar before is what it rose or fell from.
    const before = open[index] || close[index - 1] || 0
    return {
      time: timeAt(bars, index),
      value: volume[index] || 0,
      color: (close[index] ?? 0) >= before ? colours.up : colours.down,
    }
  }
  return { series, fill: (from) => series.setData(perBar(bars, from, point)) }
}

export function drawForeignFlow(
  chart: IChartApi,
  { bars, days, symbol, other }: ChartData,
  colours: Colours,
): Layer<unknown> {
  const flows = new Map(days.map((day) => [String(day.trading_date), day.foreign_net_value]))
  const series = addColumns(chart, 2, `Foreign net value${other && ` of ${symbol}`}, VND`, colours)
  const point = ({ tradingDate, first }: Bars['sessions'][number]): HistogramData<Time> | { time: Time } => {
    const [time, net] = [timeAt(bars, first), flows.get(tradingDate)]
    if (net === null || net === undefined) return { time }
    return { time, value: Number(net), color: Number(net) >= 0 ? colours.up : colours.down }
  }
  return {
    series,
    fill: (from) => series.setData(bars.sessions.filter(({ first }) => first >= from).map(point)),
  }
}
