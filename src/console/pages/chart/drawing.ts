import {
  type ChartOptions,
  ColorType,
  CrosshairMode,
  createChart,
  type DeepPartial,
  type IChartApi,
  PriceScaleMode,
} from 'lightweight-charts'
import { type Bar, type Bars, barOf, type ChartData } from './bars.js'
import type { Colours } from './colours.js'
import { drawForeignFlow, drawVolume } from './column-layers.js'
import { type Layer, timeAt } from './layer.js'
import { drawBars, drawComparison, type Price } from './price-layers.js'

/** A chart on the page. */
export interface Drawing {
  /** Moves the crosshair by bars; returns the bar that it is on then. */
  move(by: number): Bar | undefined
  /** Moves it to the first or the last bar. */
  moveToEnd(isFirst: boolean): Bar | undefined
  zoom(factor: number): void
  remove(): void
}

/** Bars that are drawn at once, many more than a screen shows. The library takes 200 ms for a year of minutes: it gets them after. */
const FIRST_BARS = 3_000

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
  const isComparison = data.selection.other !== ''
  const price = isComparison ? drawComparison(chart, data, colours) : drawBars(chart, data, colours)
  const layers: Layer<unknown>[] = [price, drawVolume(chart, data, colours)]
  if (data.selection.timeframe === '1d') layers.push(drawForeignFlow(chart, data, colours))
  chart.panes()[0]?.setStretchFactor(4)
  for (const pane of chart.panes().slice(1)) pane.setStretchFactor(1)
  // Panes that are added after this would get it too: volume in percent of the first bar.
  if (isComparison) price.series.priceScale().applyOptions({ mode: PriceScaleMode.Percentage })
  const isWhole = isComparison || data.bars.length <= FIRST_BARS
  const first = isWhole ? 0 : data.bars.length - FIRST_BARS
  let isComplete = false
  for (const { fill } of layers) fill(first)
  showLatest(chart, data.bars.length - first)
  chart.subscribeCrosshairMove(({ time }) =>
    onBar(time === undefined ? undefined : barAt(data.bars, time as number)),
  )
  const complete = (): void => {
    if (isComplete) return
    isComplete = true
    if (!isWhole) for (const { fill } of layers) fill(0)
    performance.mark('chart-complete')
  }
  const cancel = whenIdle(complete)
  return controls(chart, price.series, data.bars, complete, cancel)
}

/** Calls it once the page has painted and has nothing else to do. Returns what prevents that. */
function whenIdle(work: () => void): () => void {
  // Safari has no idle callbacks.
  if (!('requestIdleCallback' in globalThis)) {
    const timer = setTimeout(work, 100)
    return () => clearTimeout(timer)
  }
  const request = requestIdleCallback(work, { timeout: 1_000 })
  return () => cancelIdleCallback(request)
}

/** The bar of a time; bars are in the order of their times. */
function barAt(bars: Bars, time: number): Bar | undefined {
  let [low, high] = [0, bars.length - 1]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((bars.time[middle] ?? 0) < time) low = middle + 1
    else high = middle
  }
  return bars.time[low] === time ? barOf(bars, low) : undefined
}

/** A few bars are not drawn as wide as the page. */
const WIDEST_BAR = 26

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
    rightPriceScale: { borderColor: colours.grid, entireTextOnly: true },
    timeScale: {
      borderColor: colours.grid,
      timeVisible: selection.timeframe !== '1d',
      secondsVisible: false,
      maxBarSpacing: WIDEST_BAR,
    },
    localization: { locale: 'en-GB' },
    kineticScroll: { touch: !matchMedia('(prefers-reduced-motion: reduce)').matches, mouse: false },
  }
}

/** The latest bars at a width at which one can see them; room on both sides for half a label of the time. */
function showLatest(chart: IChartApi, count: number): void {
  chart.timeScale().setVisibleLogicalRange({ from: Math.max(-3, count - 240), to: count + 3 })
}

/** @param complete draws the bars that are not drawn yet: keys lead to all of them */
function controls(
  chart: IChartApi,
  price: Price,
  bars: Bars,
  complete: () => void,
  cancel: () => void,
): Drawing {
  let index = bars.length
  const moveTo = (next: number): Bar | undefined => {
    complete()
    index = Math.max(0, Math.min(bars.length - 1, next))
    const bar = barOf(bars, index)
    if (!bar) return undefined
    chart.setCrosshairPosition(bar.close, timeAt(bars, index), price)
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
      complete()
      const range = chart.timeScale().getVisibleLogicalRange()
      if (!range) return
      const width = Math.max(10, (range.to - range.from) * factor)
      chart.timeScale().setVisibleLogicalRange({ from: range.to - width, to: range.to })
    },
    remove() {
      cancel()
      chart.remove()
    },
  }
}
