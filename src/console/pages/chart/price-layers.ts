import {
  type CandlestickData,
  CandlestickSeries,
  createSeriesMarkers,
  type IChartApi,
  type ISeriesApi,
  LineSeries,
  LineStyle,
  type Time,
} from 'lightweight-charts'
import { isWithinSession } from '../../bar-columns.js'
import type { Row } from '../api.js'
import { rounded } from '../words.js'
import { areValues, type Bars, type ChartData } from './bars.js'
import type { Colours } from './colours.js'
import { type Layer, perBar, timeAt } from './layer.js'
import { closedAtLimit, markersOf } from './markers.js'
import { SessionBands } from './session-bands.js'

export type Price = ISeriesApi<'Candlestick'> | ISeriesApi<'Line'>

/** Prices with groups of digits, as everywhere on the page. */
const PRICES = {
  type: 'custom',
  minMove: 0.01,
  formatter: (value: number) => value.toLocaleString('en-US', { maximumFractionDigits: 2 }),
} as const

/** Candles, or the line of a value, with limits, what is marked, and the phases of the sessions. */
export function drawBars(chart: IChartApi, data: ChartData, colours: Colours): Layer<Price> {
  const { bars, timeframe, phases } = data
  const price = areValues(bars) ? addValueLine(chart, data, colours) : addCandles(chart, data, colours)
  const limits = isWithinSession(timeframe) || timeframe === '1d' ? limitLines(chart, data, colours) : []
  const markers = createSeriesMarkers<Time>(price.series, [])
  const bands = new SessionBands(bars.time, phases, { band: colours.band, line: colours.text })
  if (isWithinSession(timeframe)) price.series.attachPrimitive(bands)
  drawTriggers(price.series, data, colours)
  // Few points, drawn once: each series that gets new ones lets the library order all bars again, 60 ms for a year of minutes.
  for (const line of limits) line.fill(0)
  return {
    series: price.series,
    fill(from) {
      price.fill(from)
      markers.setMarkers(markersOf(data, from, colours))
      bands.shift = from - (limits.length > 0 ? stepsBefore(bars, from) : 0)
    },
  }
}

function addCandles(chart: IChartApi, data: ChartData, colours: Colours): Layer<Price> {
  const series = chart.addSeries(CandlestickSeries, {
    upColor: colours.up,
    downColor: colours.down,
    wickUpColor: colours.up,
    wickDownColor: colours.down,
    borderVisible: false,
    priceFormat: PRICES,
  })
  return { series, fill: (from) => series.setData(candlesOf(data, from, colours)) }
}

/** An index of which the value at the close is known alone. */
function addValueLine(chart: IChartApi, { bars }: ChartData, { accent }: Colours): Layer<Price> {
  const series = chart.addSeries(LineSeries, { color: accent, lineWidth: 2, priceFormat: PRICES })
  return { series, fill: (from) => series.setData(closesOf(bars, from)) }
}

function closesOf(bars: Bars, from: number) {
  return perBar(bars, from, (index) => ({ time: timeAt(bars, index), value: bars.close[index] ?? 0 }))
}

/** A line at each price that would trigger a conditional order that waits. */
function drawTriggers(series: Price, { conditional }: ChartData, { accent }: Colours): void {
  for (const { trigger_price, trigger_kind, side, quantity } of conditional) {
    series.createPriceLine({
      price: Number(trigger_price),
      color: accent,
      lineStyle: LineStyle.Dashed,
      lineWidth: 1,
      title: `${trigger_kind} ${side} ${rounded(quantity, 0)}`,
    })
  }
}

/** Candles. Days that close at a limit or at the reference have its colour: the market's convention. */
function candlesOf(
  { bars, days, timeframe }: ChartData,
  from: number,
  colours: Colours,
): CandlestickData<Time>[] {
  const { open, high, low, close } = bars
  const candles = perBar(
    bars,
    from,
    (index) =>
      ({
        time: timeAt(bars, index),
        open: open[index],
        high: high[index],
        low: low[index],
        close: close[index],
      }) as CandlestickData<Time>,
  )
  if (timeframe !== '1d') return candles
  const limits = limitsByDay(days)
  for (const { tradingDate, first } of bars.sessions) {
    const [candle, day] = [candles[first - from], limits.get(tradingDate)]
    const color = candle && day && colourAtLimit(day, colours)
    if (color) candles[first - from] = { ...candle, color, wickColor: color }
  }
  return candles
}

function limitsByDay(days: readonly Row[]): Map<string, Row> {
  return new Map(days.map((day) => [String(day.trading_date), day]))
}

function colourAtLimit(day: Row, colours: Colours): string | undefined {
  const limit = closedAtLimit(day)
  if (limit) return colours[limit]
  const isUnchanged = Number(day.ref_price) > 0 && Number(day.ref_price) === Number(day.close)
  return isUnchanged ? colours.reference : undefined
}

/** The limits of the sessions, as steps. */
function limitLines(
  chart: IChartApi,
  { bars, days, isAdjusted }: ChartData,
  colours: Colours,
): Layer<ISeriesApi<'Line'>>[] {
  const limits = limitsByDay(days)
  return (
    [
      ['ceiling', colours.ceiling],
      ['ref_price', colours.reference],
      ['floor', colours.floor],
    ] as const
  ).map(([name, color]) => {
    const series = chart.addSeries(LineSeries, {
      color,
      lineWidth: 1,
      lineStyle: LineStyle.Dotted,
      lineType: 1,
      lastValueVisible: false,
      priceLineVisible: false,
      crosshairMarkerVisible: false,
      autoscaleInfoProvider: () => null,
      priceFormat: PRICES,
    })
    const point = ({ tradingDate, first }: Bars['sessions'][number]) => {
      const day = limits.get(tradingDate)
      const factor = isAdjusted ? Number(day?.price_factor ?? 1) : 1
      const [time, value] = [timeAt(bars, first), Number(day?.[name] ?? 0) * factor]
      return value > 0 ? { time, value } : { time }
    }
    return { series, fill: (from) => series.setData(stepsOf(bars, from).map(point)) }
  })
}

/** Where sessions begin, and the last bar: enough for a line of steps. */
function stepsOf({ sessions, length }: Bars, from: number): Bars['sessions'] {
  const last = sessions.at(-1)
  const begun = sessions.filter(({ first }) => first >= from)
  return last && last.first < length - 1 ? [...begun, { ...last, first: length - 1 }] : begun
}

/** How many points of a line of steps are before a bar: the chart has them as well. */
function stepsBefore({ sessions }: Bars, bar: number): number {
  return sessions.filter(({ first }) => first < bar).length
}

/** Two symbols as lines. */
export function drawComparison(
  chart: IChartApi,
  { bars, otherBars, symbol, other }: ChartData,
  colours: Colours,
): Layer<Price> {
  const line = (own: Bars, title: string, color: string, lineStyle: LineStyle): Layer<Price> => {
    const series = chart.addSeries(LineSeries, { title, color, lineStyle, lineWidth: 2 })
    return { series, fill: (from) => series.setData(closesOf(own, from)) }
  }
  const compared = line(otherBars, other, colours.reference, LineStyle.Dashed)
  const drawn = line(bars, symbol, colours.accent, LineStyle.Solid)
  return {
    series: drawn.series,
    fill() {
      compared.fill(0)
      drawn.fill(0)
    },
  }
}
