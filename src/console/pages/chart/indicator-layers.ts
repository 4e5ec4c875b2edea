import { type IChartApi, type ISeriesApi, LineSeries, LineStyle, type LineWidth } from 'lightweight-charts'
import { INDICATORS, type IndicatorKind, indicatorTitle } from '../../indicators.js'
import type { ChartData, DrawnIndicator } from './bars.js'
import type { Colours } from './colours.js'
import { type Layer, perBar, timeAt } from './layer.js'
import { PaneTitle } from './pane-title.js'

type Line = ISeriesApi<'Line'>

const COLOUR_OF: Readonly<Record<IndicatorKind, keyof Colours>> = {
  sma: 'accent',
  ema: 'ceiling',
  bands: 'text',
  vwap: 'reference',
  rsi: 'accent',
}

/** Above and below these an RSI is called overbought and oversold. */
const RSI_LEVELS = [70, 30]

/** Lines on the prices; an RSI has a pane of its own, below all others. */
export function drawIndicators(chart: IChartApi, data: ChartData, colours: Colours): Layer<Line>[] {
  return data.drawnIndicators.flatMap((drawn) =>
    drawn.kind === 'rsi' ? drawRsi(chart, data, drawn, colours) : drawLines(chart, data, drawn, colours),
  )
}

function drawLines(
  chart: IChartApi,
  data: ChartData,
  { kind, columns }: DrawnIndicator,
  colours: Colours,
): Layer<Line>[] {
  return INDICATORS[kind].columns.map((name) =>
    lineOf(chart, data, columns[name], {
      color: colours[COLOUR_OF[kind]],
      lineWidth: kind === 'bands' ? 1 : 2,
      lineStyle: name === 'band_middle' ? LineStyle.Dashed : LineStyle.Solid,
      pane: 0,
    }),
  )
}

function drawRsi(chart: IChartApi, data: ChartData, drawn: DrawnIndicator, colours: Colours): Layer<Line>[] {
  const layer = lineOf(chart, data, drawn.columns.rsi, {
    color: colours[COLOUR_OF.rsi],
    lineWidth: 2,
    lineStyle: LineStyle.Solid,
    pane: chart.panes().length,
  })
  layer.series.attachPrimitive(new PaneTitle(indicatorTitle(drawn), colours.text))
  for (const price of RSI_LEVELS) {
    layer.series.createPriceLine({
      price,
      color: colours.text,
      lineStyle: LineStyle.Dotted,
      lineWidth: 1,
      axisLabelVisible: false,
      title: '',
    })
  }
  return [layer]
}

interface Style {
  color: string
  lineWidth: LineWidth
  lineStyle: LineStyle
  pane: number
}

/** A line with gaps where there is no number. */
function lineOf(
  chart: IChartApi,
  { bars }: ChartData,
  values: Float64Array | undefined,
  { pane, ...style }: Style,
): Layer<Line> {
  const series = chart.addSeries(
    LineSeries,
    { ...style, lastValueVisible: false, priceLineVisible: false, crosshairMarkerVisible: false },
    pane,
  )
  const point = (index: number) => {
    const value = values?.[index] ?? Number.NaN
    return Number.isNaN(value) ? { time: timeAt(bars, index) } : { time: timeAt(bars, index), value }
  }
  return { series, fill: (from) => series.setData(perBar(bars, from, point)) }
}
