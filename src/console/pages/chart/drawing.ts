import {
  type CandlestickData,
  CandlestickSeries,
  type ChartOptions,
  ColorType,
  CrosshairMode,
  createChart,
  createSeriesMarkers,
  type DeepPartial,
  type HistogramData,
  HistogramSeries,
  type IChartApi,
  type ISeriesApi,
  LineSeries,
  LineStyle,
  PriceScaleMode,
  type Time,
  type UTCTimestamp,
} from 'lightweight-charts'
import type { Bar, ChartData } from './bars.js'
import type { Colours } from './colours.js'
import { SessionBands } from './session-bands.js'

/** A chart on the page. */
export interface Drawing {
  /** Moves the crosshair by bars; returns the bar that it is on then. */
  move(by: number): Bar | undefined
  /** Moves it to the first or the last bar. */
  moveToEnd(isFirst: boolean): Bar | undefined
  zoom(factor: number): void
  remove(): void
}

type Price = ISeriesApi<'Candlestick'> | ISeriesApi<'Line'>

const seconds = (bar: Bar): UTCTimestamp => bar.time as UTCTimestamp

/**
 * Draws bars, volume and what belongs to them. Numbers are rounded to what a screen shows; the table has the exact ones.
 *
 * @param onBar called with the bar below the pointer
 */
export function drawChart(
  container: HTMLElement,
  data: ChartData,
  colours: Colours,
  onBar: (bar: Bar | undefined) => void,
): Drawing {
  const chart = createChart(container, chartOptions(data, colours))
  const price =
    data.otherBars.length > 0 ? drawComparison(chart, data, colours) : drawBars(chart, data, colours)
  drawVolume(chart, data, colours)
  if (data.selection.timeframe === '1d') drawForeignFlow(chart, data, colours)
  chart.panes()[0]?.setStretchFactor(4)
  for (const pane of chart.panes().slice(1)) pane.setStretchFactor(1)
  showLatest(chart, data.bars.length)
  chart.subscribeCrosshairMove(({ time }) =>
    onBar(time === undefined ? undefined : barAt(data.bars, time as number)),
  )
  return controls(chart, price, data.bars)
}

/** The bar of a time; bars are in the order of their times. A map of a year of minutes would cost more than it saves. */
function barAt(bars: readonly Bar[], time: number): Bar | undefined {
  let [low, high] = [0, bars.length - 1]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((bars[middle]?.time ?? 0) < time) low = middle + 1
    else high = middle
  }
  return bars[low]?.time === time ? bars[low] : undefined
}

function chartOptions({ selection }: ChartData, colours: Colours): DeepPartial<ChartOptions> {
  return {
    autoSize: true,
    layout: {
      // Named in the page's footer: the library's own logo needs a style element, which the page's policy forbids.
      attributionLogo: false,
      background: { type: ColorType.Solid, color: 'transparent' },
      textColor: colours.text,
      panes: { separatorColor: colours.grid },
    },
    grid: { vertLines: { color: colours.grid }, horzLines: { color: colours.grid } },
    crosshair: { mode: CrosshairMode.Normal },
    rightPriceScale: {
      borderColor: colours.grid,
      mode: selection.other === '' ? PriceScaleMode.Normal : PriceScaleMode.Percentage,
    },
    timeScale: {
      borderColor: colours.grid,
      timeVisible: selection.timeframe !== '1d',
      secondsVisible: false,
    },
    localization: {
      locale: 'en-GB',
      priceFormatter: (value: number) => value.toLocaleString('en-US', { maximumFractionDigits: 2 }),
    },
    kineticScroll: { touch: !matchMedia('(prefers-reduced-motion: reduce)').matches, mouse: false },
  }
}

function drawBars(chart: IChartApi, data: ChartData, colours: Colours): Price {
  const series = chart.addSeries(CandlestickSeries, {
    upColor: colours.up,
    downColor: colours.down,
    wickUpColor: colours.up,
    wickDownColor: colours.down,
    borderVisible: false,
  })
  series.setData(candlesOf(data, colours))
  if (!data.selection.isAdjusted) drawLimits(chart, data, colours)
  const { events, bars, selection } = data
  const first = new Map<string, UTCTimestamp>()
  for (const bar of bars) if (!first.has(bar.tradingDate)) first.set(bar.tradingDate, seconds(bar))
  const markers = events.flatMap(({ ex_date, factor, state }) => {
    const time = first.get(String(ex_date))
    // The table below has the other states.
    const doubt = state === 'contradicted' ? ' ?' : ''
    const text = `ex ×${Number(factor).toFixed(4)}${doubt}`
    return time === undefined
      ? []
      : [{ time, position: 'aboveBar', shape: 'square', color: colours.accent, text } as const]
  })
  createSeriesMarkers<Time>(series, markers)
  if (selection.timeframe !== '1d') {
    const bands = new SessionBands(
      bars.map(({ time }) => time),
      data.phases,
      {
        band: colours.band,
        line: colours.text,
      },
    )
    series.attachPrimitive(bands)
  }
  return series
}

/**
 * Bars as the library takes them: they have the fields of its candles. Days that close at a limit or at the reference have its
 * colour: the market's convention.
 */
function candlesOf({ bars, days, selection }: ChartData, colours: Colours): CandlestickData<Time>[] {
  const candles = bars as unknown as CandlestickData<Time>[]
  if (selection.timeframe !== '1d' || selection.isAdjusted) return candles
  const limits = new Map(days.map((day) => [String(day.trading_date), day]))
  return bars.map((bar, index) => {
    const candle = candles[index] as CandlestickData<Time>
    const day = limits.get(bar.tradingDate)
    const color = day && colourAtLimit(bar.close, day, colours)
    return color ? { ...candle, color, wickColor: color } : candle
  })
}

function colourAtLimit(close: number, day: Record<string, unknown>, colours: Colours): string | undefined {
  const at = (value: unknown): boolean => value !== null && Number(value) > 0 && Number(value) === close
  if (at(day.ceiling)) return colours.ceiling
  if (at(day.floor)) return colours.floor
  return at(day.ref_price) ? colours.reference : undefined
}

/** The session's limits as steps: a point where a session begins is enough, and one at the end. */
function drawLimits(chart: IChartApi, { bars, days }: ChartData, colours: Colours): void {
  const limits = new Map(days.map((day) => [String(day.trading_date), day]))
  const steps = bars.filter(
    (bar, index) => bar.tradingDate !== bars[index - 1]?.tradingDate || index === bars.length - 1,
  )
  for (const [name, color] of [
    ['ceiling', colours.ceiling],
    ['ref_price', colours.reference],
    ['floor', colours.floor],
  ] as const) {
    const line = chart.addSeries(LineSeries, {
      color,
      lineWidth: 1,
      lineStyle: LineStyle.Dotted,
      lineType: 1,
      lastValueVisible: false,
      priceLineVisible: false,
      crosshairMarkerVisible: false,
      autoscaleInfoProvider: () => null,
    })
    line.setData(
      steps.map((bar) => {
        const value = Number(limits.get(bar.tradingDate)?.[name] ?? 0)
        return value > 0 ? { time: seconds(bar), value } : { time: seconds(bar) }
      }),
    )
  }
}

function drawComparison(
  chart: IChartApi,
  { bars, otherBars, selection }: ChartData,
  colours: Colours,
): Price {
  const line = (own: readonly Bar[], title: string, color: string, lineStyle: LineStyle) => {
    const series = chart.addSeries(LineSeries, { title, color, lineStyle, lineWidth: 2 })
    series.setData(own.map((bar) => ({ time: seconds(bar), value: bar.close })))
    return series
  }
  line(otherBars, selection.other, colours.reference, LineStyle.Dashed)
  return line(bars, selection.symbol, colours.accent, LineStyle.Solid)
}

function drawVolume(chart: IChartApi, { bars }: ChartData, colours: Colours): void {
  const series = chart.addSeries(
    HistogramSeries,
    { title: 'volume', priceFormat: { type: 'volume' }, priceLineVisible: false, lastValueVisible: false },
    1,
  )
  series.setData(
    bars.map((bar) => ({
      time: seconds(bar),
      value: bar.volume ?? 0,
      color: bar.close >= bar.open ? colours.up : colours.down,
    })),
  )
}

function drawForeignFlow(chart: IChartApi, { bars, days }: ChartData, colours: Colours): void {
  const flows = new Map(days.map((day) => [String(day.trading_date), day.foreign_net_value]))
  const series = chart.addSeries(
    HistogramSeries,
    {
      title: 'foreign net value',
      priceFormat: { type: 'volume' },
      priceLineVisible: false,
      lastValueVisible: false,
    },
    2,
  )
  const points = bars.map((bar): HistogramData<Time> | { time: Time } => {
    const net = flows.get(bar.tradingDate)
    if (net === null || net === undefined) return { time: seconds(bar) }
    return { time: seconds(bar), value: Number(net), color: Number(net) >= 0 ? colours.up : colours.down }
  })
  series.setData(points)
}

/** The latest bars at a width at which one can see them. */
function showLatest(chart: IChartApi, count: number): void {
  chart.timeScale().setVisibleLogicalRange({ from: Math.max(-0.5, count - 240), to: count + 3 })
}

function controls(chart: IChartApi, price: Price, bars: readonly Bar[]): Drawing {
  let index = bars.length
  const moveTo = (next: number): Bar | undefined => {
    index = Math.max(0, Math.min(bars.length - 1, next))
    const bar = bars[index]
    if (!bar) return undefined
    chart.setCrosshairPosition(bar.close, seconds(bar), price)
    const range = chart.timeScale().getVisibleLogicalRange()
    if (range && (index < range.from || index > range.to)) {
      const half = (range.to - range.from) / 2
      chart.timeScale().setVisibleLogicalRange({ from: index - half, to: index + half })
    }
    return bar
  }
  return {
    move: (by) => moveTo(index + by),
    moveToEnd: (isFirst) => moveTo(isFirst ? 0 : bars.length - 1),
    zoom(factor) {
      const range = chart.timeScale().getVisibleLogicalRange()
      if (!range) return
      const width = Math.max(10, (range.to - range.from) * factor)
      chart.timeScale().setVisibleLogicalRange({ from: range.to - width, to: range.to })
    },
    remove: () => chart.remove(),
  }
}
