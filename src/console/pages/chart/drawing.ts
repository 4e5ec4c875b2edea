import {
  type ChartOptions,
  ColorType,
  CrosshairMode,
  createChart,
  type DeepPartial,
  type IChartApi,
  PriceScaleMode,
  type UTCTimestamp,
} from 'lightweight-charts'
import { isWithinSession } from '../../bar-columns.js'
import { type Bar, barOf, type ChartData } from './bars.js'
import type { Colours } from './colours.js'
import { drawForeignFlow, drawVolume } from './column-layers.js'
import { drawIndicators } from './indicator-layers.js'
import { type Layer, timeAt } from './layer.js'
import { lastTime } from './legend.js'
import { drawBars, drawComparison, type Price } from './price-layers.js'

/** A chart on the page. */
export interface Drawing {
  /** Moves the crosshair by bars; returns the bar that it is on then. */
  move(by: number): Bar | undefined
  /** Moves it to the first or the last bar. */
  moveToEnd(isFirst: boolean): Bar | undefined
  zoom(factor: number): void
  /** Moves the view: it begins at that day. */
  showFrom(day: string): void
  remove(): void
}

/** What the page hears from the chart. */
export interface Watcher {
  /** The pointer is at that time, or at no bar. */
  onPoint(time: number | undefined): void
  /** The view begins at the bar of that time. */
  onView(from: number): void
}

/** Bars that are drawn at once, many more than a screen shows. The library takes 200 ms for a year of minutes: it gets them after. */
const FIRST_BARS = 3_000

/**
 * Draws bars, volume and what belongs to them. Numbers are rounded to what a screen shows; the table has the exact ones.
 *
 * @param from first day of the view; empty: the latest bars
 */
export function drawChart(
  container: HTMLElement,
  data: ChartData,
  from: string,
  colours: Colours,
  watcher: Watcher,
): Drawing {
  const chart = createChart(container, chartOptions(data, colours))
  const isComparison = data.other !== ''
  const price = isComparison ? drawComparison(chart, data, colours) : drawBars(chart, data, colours)
  const layers: Layer<unknown>[] = [price, drawVolume(chart, data, colours)]
  if (data.timeframe === '1d' && data.days.length > 0) layers.push(drawForeignFlow(chart, data, colours))
  layers.push(...drawIndicators(chart, data, colours))
  chart.panes()[0]?.setStretchFactor(4)
  for (const pane of chart.panes().slice(1)) pane.setStretchFactor(1)
  // Panes that are added after this would get it too: volume in percent of the first bar.
  if (isComparison) price.series.priceScale().applyOptions({ mode: PriceScaleMode.Percentage })
  const isWhole = isComparison || from !== '' || data.bars.length <= FIRST_BARS
  const first = isWhole ? 0 : data.bars.length - FIRST_BARS
  let isComplete = false
  for (const { fill } of layers) fill(first)
  chart.subscribeCrosshairMove(({ time }) => watcher.onPoint(time as number | undefined))
  chart.timeScale().subscribeVisibleTimeRangeChange((range) => {
    if (range) watcher.onView(range.from as number)
  })
  showView(chart, data, from)
  const complete = (): void => {
    if (isComplete) return
    isComplete = true
    if (!isWhole) for (const { fill } of layers) fill(0)
    performance.mark('chart-complete')
  }
  const cancel = whenIdle(complete)
  return controls(chart, price.series, data, complete, cancel)
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

/** A few bars are not drawn as wide as the page. */
const WIDEST_BAR = 26

function chartOptions({ timeframe }: ChartData, colours: Colours): DeepPartial<ChartOptions> {
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
      timeVisible: isWithinSession(timeframe),
      secondsVisible: false,
      maxBarSpacing: WIDEST_BAR,
    },
    localization: { locale: 'en-GB' },
    kineticScroll: { touch: !matchMedia('(prefers-reduced-motion: reduce)').matches, mouse: false },
  }
}

/** Bars that are seen at first: wide enough to see each. */
const SEEN_BARS = 240

/**
 * The latest bars, or those from a day on: up to the latest one where a pixel per bar is enough, else as many as are seen at
 * first. Room on both sides for half a label of the time.
 */
function showView(chart: IChartApi, data: ChartData, from: string): void {
  const scale = chart.timeScale()
  const last = scale.timeToIndex(lastTime(data) as UTCTimestamp, true) ?? 0
  const first = from === '' ? null : scale.timeToIndex((Date.parse(from) / 1000) as UTCTimestamp, true)
  if (first === null) {
    scale.setVisibleLogicalRange({ from: Math.max(-3, last + 1 - SEEN_BARS), to: last + 4 })
    return
  }
  const width = scale.width()
  const isNear = last - first < Math.max(SEEN_BARS, width)
  // Few bars do not fill the width: to their right it stays empty, so that none before the day is seen.
  const to = isNear ? Math.max(last + 4, first + width / WIDEST_BAR) : first + SEEN_BARS
  scale.setVisibleLogicalRange({ from: first, to })
}

/** @param complete draws the bars that are not drawn yet: keys lead to all of them */
function controls(
  chart: IChartApi,
  price: Price,
  data: ChartData,
  complete: () => void,
  cancel: () => void,
): Drawing {
  const { bars } = data
  let index = bars.length
  const moveTo = (next: number): Bar | undefined => {
    complete()
    index = Math.max(0, Math.min(bars.length - 1, next))
    const bar = barOf(bars, index)
    if (!bar) return undefined
    chart.setCrosshairPosition(bar.close, timeAt(bars, index), price)
    const range = chart.timeScale().getVisibleLogicalRange()
    // Not the index of the bar: another symbol may have bars in between.
    const at = chart.timeScale().timeToIndex(timeAt(bars, index)) ?? index
    if (range && (at < range.from || at > range.to)) {
      const half = (range.to - range.from) / 2
      chart.timeScale().setVisibleLogicalRange({ from: at - half, to: at + half })
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
    showFrom(day) {
      complete()
      showView(chart, data, day)
    },
    remove() {
      cancel()
      chart.remove()
    },
  }
}
