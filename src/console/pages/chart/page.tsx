import { useEffect, useRef, useState } from 'preact/hooks'
import { isOfPeriod, isWithinSession } from '../../bar-columns.js'
import { Command, Failure } from '../command.js'
import { useLoaded } from '../loaded.js'
import { areValues, barOf, barTime, type ChartData, lastBarBy, loadChart } from './bars.js'
import { PLAIN_SYMBOL, unknownChains } from './chain.js'
import { chartAddress, chartStateOf } from './chart-address.js'
import { type Drawing, drawChart } from './drawing.js'
import { comparedBetween, comparedWords, indicatorsAt, lastTime, legendOf } from './legend.js'
import { readColours, watchScheme } from './style-colours.js'
import { BarTable, EventTable, TradeTable } from './tables.js'
import { ChartToolbar } from './toolbar.js'

export function ChartPage({ words }: { words: readonly string[] }) {
  const state = chartStateOf(words)
  const { from, ...selection } = state
  const key = JSON.stringify(selection)
  // The first day moves the view alone: the bars are there.
  const { value, error } = useLoaded(async () => ({ key, data: await loadChart(selection) }), [key])
  const data = value?.data
  const isStale = value?.key !== key
  // Where the address leaves the symbol or the timeframe open, the console has chosen.
  const drawn = data && !isStale ? data : state
  return (
    <>
      <h1>
        {drawn.symbol || 'Chart'}{' '}
        <span class="quiet">{!isStale && [data?.name, data?.board].filter(Boolean).join(' · ')}</span>
      </h1>
      <ChartToolbar state={state} drawn={drawn} />
      {error && <Failure error={error} />}
      {data && data.bars.length > 0 ? (
        <ChartView data={data} from={from} isStale={!error && isStale} />
      ) : (
        !error && (data ? <NoBars {...data} /> : <p class="quiet">Loading…</p>)
      )}
    </>
  )
}

function NoBars({ symbol, timeframe }: ChartData) {
  if (symbol === '') return <p class="legend">No bars are stored yet.</p>
  return (
    <>
      <p class="legend">
        No {timeframe} bars of {symbol} are stored. <a href={chartAddress({ symbol })}>Show what is stored</a>
        , choose another symbol, or fetch them.
      </p>
      {PLAIN_SYMBOL.test(symbol) && <Command text={`candlehouse backfill ohlc --symbols ${symbol}`} />}
    </>
  )
}

interface ViewProps {
  data: ChartData
  from: string
  /** Another selection was made, whose bars are on their way. */
  isStale: boolean
}

function ChartView({ data, from, isStale }: ViewProps) {
  const container = useRef<HTMLDivElement>(null)
  const drawing = useRef<Drawing>(undefined)
  const [pointed, setPointed] = useState<number>()
  const [seenFrom, setSeenFrom] = useState(Number.NEGATIVE_INFINITY)
  const [spoken, setSpoken] = useState('')
  const shownFrom = useRef(from)
  useEffect(() => {
    setPointed(undefined)
    // Not asked for again later: colours may change after the page was left and before this effect ends.
    const element = container.current
    if (!element) return undefined
    shownFrom.current = from
    const draw = () => {
      drawing.current?.remove()
      const watcher = { onPoint: setPointed, onView: setSeenFrom }
      drawing.current = drawChart(element, data, shownFrom.current, readColours(), watcher)
    }
    draw()
    const unwatch = watchScheme(draw)
    performance.mark('chart-drawn')
    return () => {
      unwatch()
      drawing.current?.remove()
      drawing.current = undefined
    }
  }, [data])
  useEffect(() => {
    if (shownFrom.current !== from) drawing.current?.showFrom(from)
    shownFrom.current = from
  }, [from])
  const readout = readoutOf(data, seenFrom, pointed)
  const onKeyDown = (event: KeyboardEvent) => {
    const moved = keyed(event, drawing.current)
    if (moved === undefined) return
    event.preventDefault()
    if (moved === null) return
    setPointed(moved)
    setSpoken(readoutOf(data, seenFrom, moved).join(' · '))
  }
  return (
    <>
      <p class="legend">{isStale ? 'Loading…' : readout.map((words) => <span key={words}>{words}</span>)}</p>
      <UnknownAdjustments data={data} />
      <section
        class={isStale ? 'chart stale' : 'chart'}
        tabIndex={0}
        onKeyDown={onKeyDown}
        aria-label={`Chart of ${data.symbol}${data.other && ` and ${data.other}`}`}
        aria-describedby="chart-keys"
      >
        {/* The library lays its canvases out in a table, which would be read out as one without content. */}
        <div ref={container} class="drawing" aria-hidden="true" />
      </section>
      <p id="chart-keys" class="quiet">
        {keyWords(data)} Keys: ← → bar by bar, Home and End, + and − zoom. Every value is in the table below.
      </p>
      <p class="hidden" aria-live="polite">
        {spoken}
      </p>
      <BarTable data={data} />
      <EventTable data={data} />
      <TradeTable data={data} />
    </>
  )
}

/** Beside the prices that it is about: what is drawn as adjusted may not be. */
function UnknownAdjustments({ data }: { data: ChartData }) {
  const unknown = unknownChains(data)
  if (unknown.length === 0) return null
  return (
    <ul class="warnings">
      {unknown.map(({ words, command }) => (
        <li key={words}>
          {words} <a href="#/dictionary/mart.chain_gap">What is compared</a>
          {command !== undefined && <Command text={command} />}
        </li>
      ))}
    </ul>
  )
}

/** Lines above the chart: the bar that is pointed at, else the last one; of a comparison one line per symbol. */
function readoutOf(data: ChartData, seenFrom: number, pointed: number | undefined): string[] {
  const { bars, otherBars, other, timeframe } = data
  if (other === '') {
    const index = pointed === undefined ? bars.length - 1 : lastBarBy(bars, pointed)
    const bar = barOf(bars, index)
    return bar ? [legendOf(bar, data), indicatorsAt(index, data)].filter(Boolean) : []
  }
  if (otherBars.length === 0) return [`No ${timeframe} bars of ${other} are stored.`]
  const first = Math.max(seenFrom, Math.min(bars.time[0] ?? 0, otherBars.time[0] ?? 0))
  const last = pointed ?? lastTime(data)
  const between = `${barTime(first, timeframe)} to ${barTime(last, timeframe)}`
  return [between, ...comparedBetween(data, first, last).map(comparedWords)]
}

/** Time of the bar that a key leads to; null where it only zooms; undefined where the key is not the chart's. */
function keyed({ key }: KeyboardEvent, drawing: Drawing | undefined): number | null | undefined {
  if (key === 'ArrowLeft') return drawing?.move(-1)?.time
  if (key === 'ArrowRight') return drawing?.move(1)?.time
  if (key === 'Home' || key === 'End') return drawing?.moveToEnd(key === 'Home')?.time
  if (key === '+' || key === '-') {
    drawing?.zoom(key === '+' ? 0.7 : 1.4)
    return null
  }
  return undefined
}

/** What the drawing means. */
function keyWords(data: ChartData): string {
  const { timeframe, isAdjusted, other, bars } = data
  const adjusted =
    'Prices are adjusted for corporate actions, cash dividends included, to the latest session.'
  if (other !== '') return `Change in percent since the first bar in view. ${adjusted}`
  const words = [isAdjusted ? adjusted : 'Prices as they were, not adjusted.']
  if (areValues(bars)) words.push('A line: of this index the value at the close is stored, no candles.')
  else if (data.days.length > 0 && !isOfPeriod(timeframe))
    words.push('Dotted: ceiling, reference and floor. CE, FL: closed at one.')
  if (isWithinSession(timeframe))
    words.push(
      'Exchange time (UTC+7). Shaded: auctions and after hours. Dashed line: lunch. Solid line: a new session.',
    )
  if (isOfPeriod(timeframe)) words.push('Weeks begin on Monday, months on the 1st.')
  if (data.drawnIndicators.length > 0) words.push('A line begins where there are enough bars.')
  if (data.fills.length > 0) words.push('Arrows: own fills, B bought, S sold.')
  return words.join(' ')
}
