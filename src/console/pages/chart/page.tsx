import { isTimeframe, TIMEFRAMES } from 'candlehouse-foundation/market/timeframe'
import { useEffect, useRef, useState } from 'preact/hooks'
import { type Row, view } from '../api.js'
import { Command, Failure } from '../command.js'
import { useLoaded } from '../loaded.js'
import { type Bar, barOf, type ChartData, loadChart, type Selection } from './bars.js'
import { readColours, watchScheme } from './colours.js'
import { type Drawing, drawChart } from './drawing.js'
import { legendOf } from './legend.js'
import { SymbolBox } from './symbol-box.js'
import { BarTable, EventTable } from './tables.js'

function selectionOf(words: readonly string[], symbols: readonly Row[]): Selection {
  const [symbol = '', timeframe = '1d', options = '', from = '', other = ''] = words
  return {
    symbol: symbol || String(symbols.find(({ kind }) => kind === 'stock')?.symbol ?? ''),
    timeframe: isTimeframe(timeframe) ? timeframe : '1d',
    isAdjusted: options === 'adjusted',
    from: /^\d{4}-\d\d-\d\d$/.test(from) ? from : '',
    other,
  }
}

/** The address of a selection: a chart can be kept as a bookmark. */
function show({ symbol, timeframe, isAdjusted, from, other }: Selection): void {
  const words = [symbol, timeframe, isAdjusted ? 'adjusted' : 'raw', from, other]
  location.hash = `#/chart/${words.map(encodeURIComponent).join('/')}`
}

export function ChartPage({ words }: { words: readonly string[] }) {
  const symbols = useLoaded(() => view('symbols'), [])
  // A symbol of the address is drawn at once: the list of all symbols is for the search.
  if (!symbols.value && !words[0])
    return symbols.error ? <Failure error={symbols.error} /> : <p class="quiet">Loading…</p>
  const known = symbols.value ?? []
  return <SymbolChart selection={selectionOf(words, known)} symbols={known} />
}

function SymbolChart({ selection, symbols }: { selection: Selection; symbols: readonly Row[] }) {
  const key = JSON.stringify(selection)
  const { value: data, error } = useLoaded(() => loadChart(selection), [key])
  const instrument = symbols.find(({ symbol }) => symbol === selection.symbol)
  return (
    <>
      <h1>
        {selection.symbol}{' '}
        <span class="quiet">{[instrument?.name, instrument?.board].filter(Boolean).join(' · ')}</span>
      </h1>
      <Toolbar selection={selection} symbols={symbols} />
      {error && <Failure error={error} />}
      {data && data.bars.length > 0 ? (
        <ChartView data={data} isStale={!error && JSON.stringify(data.selection) !== key} />
      ) : (
        !error && (data ? <NoBars {...data} /> : <p class="quiet">Loading…</p>)
      )}
    </>
  )
}

/** A name like this is typed as it is; others could be more than a name to a shell. */
const PLAIN = /^\w+$/

function NoBars({ selection: { symbol, timeframe, from } }: ChartData) {
  const since = from === '' ? '' : ` from ${from} on`
  return (
    <>
      <p class="legend">
        No {timeframe} bars of {symbol} are stored{since}. Choose another symbol or timeframe, or fetch them.
      </p>
      {PLAIN.test(symbol) && <Command text={`candlehouse backfill ohlc --symbols ${symbol}`} />}
    </>
  )
}

function Toolbar({ selection, symbols }: { selection: Selection; symbols: readonly Row[] }) {
  return (
    <div class="toolbar">
      <SymbolBox
        label="Symbol"
        value={selection.symbol}
        symbols={symbols}
        onPick={(symbol) => show({ ...selection, symbol })}
      />
      <fieldset class="choices">
        <legend>Timeframe</legend>
        {TIMEFRAMES.map((timeframe) => (
          <label key={timeframe}>
            <input
              type="radio"
              name="timeframe"
              checked={timeframe === selection.timeframe}
              onChange={() => show({ ...selection, timeframe })}
            />
            <span>{timeframe}</span>
          </label>
        ))}
      </fieldset>
      <label class="switch">
        <input
          type="checkbox"
          checked={selection.isAdjusted}
          onChange={(event) => show({ ...selection, isAdjusted: event.currentTarget.checked })}
        />
        adjusted
      </label>
      <label class="field">
        From
        <input
          type="date"
          value={selection.from}
          onChange={(event) => show({ ...selection, from: event.currentTarget.value })}
        />
      </label>
      <SymbolBox
        label="Compare with"
        value={selection.other}
        symbols={symbols}
        onPick={(other) => show({ ...selection, other })}
      />
    </div>
  )
}

/** @param isStale another selection was made, whose bars are on their way */
function ChartView({ data, isStale }: { data: ChartData; isStale: boolean }) {
  const container = useRef<HTMLDivElement>(null)
  const drawing = useRef<Drawing>(undefined)
  const [bar, setBar] = useState<Bar>()
  const [spoken, setSpoken] = useState('')
  useEffect(() => {
    setBar(undefined)
    // Not asked for again later: colours may change after the page was left and before this effect ends.
    const element = container.current
    if (!element) return undefined
    const draw = () => {
      drawing.current?.remove()
      drawing.current = drawChart(element, data, readColours(), setBar)
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
  const onKeyDown = (event: KeyboardEvent) => {
    const moved = keyed(event, drawing.current)
    if (moved === undefined) return
    event.preventDefault()
    if (moved) {
      setBar(moved)
      setSpoken(legendOf(moved, data))
    }
  }
  const shown = bar ?? barOf(data.bars, data.bars.length - 1)
  return (
    <>
      <p class="legend">{isStale ? 'Loading…' : shown && legendOf(shown, data)}</p>
      <section
        class={isStale ? 'chart stale' : 'chart'}
        tabIndex={0}
        onKeyDown={onKeyDown}
        aria-label={`Chart of ${data.selection.symbol}`}
        aria-describedby="chart-keys"
      >
        {/* The library lays its canvases out in a table, which would be read out as one without content. */}
        <div ref={container} class="drawing" aria-hidden="true" />
      </section>
      <p id="chart-keys" class="quiet">
        {keyWords(data.selection)} Keys: ← → bar by bar, Home and End, + and − zoom. Every value is in the
        table below.
      </p>
      <p class="hidden" aria-live="polite">
        {spoken}
      </p>
      <BarTable data={data} />
      <EventTable data={data} />
    </>
  )
}

/** The bar that a key leads to; null where it only zooms; undefined where the key is not the chart's. */
function keyed({ key }: KeyboardEvent, drawing: Drawing | undefined): Bar | null | undefined {
  if (key === 'ArrowLeft') return drawing?.move(-1)
  if (key === 'ArrowRight') return drawing?.move(1)
  if (key === 'Home' || key === 'End') return drawing?.moveToEnd(key === 'Home')
  if (key === '+' || key === '-') {
    drawing?.zoom(key === '+' ? 0.7 : 1.4)
    return null
  }
  return undefined
}

function keyWords({ timeframe, isAdjusted, other }: Selection): string {
  if (other !== '') return `Change in percent since the first bar shown.`
  const limits = isAdjusted
    ? 'Prices adjusted to the latest session.'
    : 'Dotted: ceiling, reference and floor.'
  if (timeframe === '1d') return limits
  return `Exchange time (UTC+7). Shaded: auctions and after hours. Dashed line: lunch. Solid line: a new session. ${limits}`
}
