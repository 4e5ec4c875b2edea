import {
  type CandlestickData,
  CandlestickSeries,
  createSeriesMarkers,
  type IChartApi,
  type ISeriesApi,
  LineSeries,
  LineStyle,
  type SeriesMarker,
  type Time,
} from 'lightweight-charts'
import type { Row } from '../api.js'
import type { Bars, ChartData } from './bars.js'
import type { Colours } from './colours.js'
import { type Layer, perBar, timeAt } from './layer.js'
import { SessionBands } from './session-bands.js'

export type Price = ISeriesApi<'Candlestick'> | ISeriesApi<'Line'>

/** Prices with groups of digits, as everywhere on the page. */
const PRICES = {
  type: 'custom',
  minMove: 0.01,
  formatter: (value: number) => value.toLocaleString('en-US', { maximumFractionDigits: 2 }),
} as const

/** Candles with limits, adjustment events and the phases of the sessions. */
export function drawBars(chart: IChartApi, data: ChartData, colours: Colours): Layer<Price> {
  const series = chart.addSeries(CandlestickSeries, {
    upColor: colours.up,
    downColor: colours.down,
    wickUpColor: colours.up,
    wickDownColor: colours.down,
    borderVisible: false,
    priceFormat: PRICES,
  })
  const limits = data.selection.isAdjusted ? [] : limitLines(chart, data, colours)
  const markers = createSeriesMarkers<Time>(series, [])
  const { bars, selection, phases } = data
  const bands = new SessionBands(bars.time, phases, { band: colours.band, line: colours.text })
  if (selection.timeframe !== '1d') series.attachPrimitive(bands)
  return {
    series,
    fill(from) {
      series.setData(candlesOf(data, from, colours))
      for (const line of limits) line.fill(from)
      markers.setMarkers(eventMarkers(data, from, colours))
      bands.first = from
    },
  }
}

/** A square above the first bar of each ex-date. The table below the chart has the states. */
function eventMarkers({ events, bars }: ChartData, from: number, { accent }: Colours): SeriesMarker<Time>[] {
  const first = new Map(bars.sessions.map((session) => [session.tradingDate, session.first]))
  return events.flatMap(({ ex_date, factor, state }) => {
    const index = first.get(String(ex_date))
    if (index === undefined || index < from) return []
    const text = `ex ×${Number(factor).toFixed(4)}${state === 'contradicted' ? ' ?' : ''}`
    return [{ time: timeAt(bars, index), position: 'aboveBar', shape: 'square', color: accent, text }]
  })
}

/** Candles. Days that close at a limit or at the reference have its colour: the market's convention. */
function candlesOf(
  { bars, days, selection }: ChartData,
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
  if (selection.timeframe !== '1d' || selection.isAdjusted) return candles
  const limits = limitsByDay(days)
  for (const { tradingDate, first } of bars.sessions) {
    const [candle, day] = [candles[first - from], limits.get(tradingDate)]
    const color = candle && day && colourAtLimit(candle.close, day, colours)
    if (color) candles[first - from] = { ...candle, color, wickColor: color }
  }
  return candles
}

function limitsByDay(days: readonly Row[]): Map<string, Row> {
  return new Map(days.map((day) => [String(day.trading_date), day]))
}

function colourAtLimit(close: number, day: Record<string, unknown>, colours: Colours): string | undefined {
  const at = (value: unknown): boolean => value !== null && Number(value) > 0 && Number(value) === close
  if (at(day.ceiling)) return colours.ceiling
  if (at(day.floor)) return colours.floor
  return at(day.ref_price) ? colours.reference : undefined
}

/** The limits of the sessions, as steps. */
function limitLines(
  chart: IChartApi,
  { bars, days }: ChartData,
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
      const [time, value] = [timeAt(bars, first), Number(limits.get(tradingDate)?.[name] ?? 0)]
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

/** Two symbols as lines. */
export function drawComparison(
  chart: IChartApi,
  { bars, otherBars, selection }: ChartData,
  colours: Colours,
): Layer<Price> {
  const line = (own: Bars, title: string, color: string, lineStyle: LineStyle): Layer<Price> => {
    const series = chart.addSeries(LineSeries, { title, color, lineStyle, lineWidth: 2 })
    const fill = (from: number) =>
      series.setData(
        perBar(own, from, (index) => ({ time: timeAt(own, index), value: own.close[index] ?? 0 })),
      )
    return { series, fill }
  }
  const other = line(otherBars, selection.other, colours.reference, LineStyle.Dashed)
  const drawn = line(bars, selection.symbol, colours.accent, LineStyle.Solid)
  return {
    series: drawn.series,
    fill() {
      other.fill(0)
      drawn.fill(0)
    },
  }
}
