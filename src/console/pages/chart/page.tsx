import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { type Row, view } from '../api.js'
import { Failure } from '../command.js'
import { DataTable } from '../data-table.js'
import { useLoaded } from '../loaded.js'
import { amount, grouped, rounded } from '../words.js'
import { type Bar, type ChartData, loadChart, type Selection, TIMEFRAMES, type Timeframe } from './bars.js'
import { readColours, watchScheme } from './colours.js'
import { type Drawing, drawChart } from './drawing.js'
import { SymbolBox } from './symbol-box.js'

const SHOWN_BARS = 300

function selectionOf(words: readonly string[], symbols: readonly Row[]): Selection {
  const [symbol = '', timeframe = '1d', options = '', from = '', other = ''] = words
  return {
    symbol: symbol || String(symbols.find(({ kind }) => kind === 'stock')?.symbol ?? ''),
    timeframe: TIMEFRAMES.includes(timeframe as Timeframe) ? (timeframe as Timeframe) : '1d',
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
      {data ? <ChartView data={data} /> : !error && <p class="quiet">Loading…</p>}
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

function ChartView({ data }: { data: ChartData }) {
  const container = useRef<HTMLDivElement>(null)
  const drawing = useRef<Drawing>(undefined)
  const [bar, setBar] = useState<Bar>()
  const [spoken, setSpoken] = useState('')
  useEffect(() => {
    setBar(undefined)
    const draw = () => {
      drawing.current?.remove()
      if (container.current) drawing.current = drawChart(container.current, data, readColours(), setBar)
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
  const shown = bar ?? data.bars.at(-1)
  return (
    <>
      <p class="legend">
        {shown
          ? legendOf(shown, data)
          : `No ${data.selection.timeframe} bars of ${data.selection.symbol} are stored.`}
      </p>
      <section
        class="chart"
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
  if (timeframe === '1d')
    return isAdjusted
      ? 'Prices adjusted to the latest session.'
      : 'Dotted: ceiling, reference and floor of each session.'
  return 'Shaded: auctions and after hours. Dashed line: lunch. Solid line: a new session. Dotted: ceiling, reference, floor.'
}

function timeOf(bar: Bar, { timeframe }: Selection): string {
  return timeframe === '1d'
    ? bar.tradingDate
    : new Date(bar.time * 1000).toISOString().slice(0, 16).replace('T', ' ')
}

function legendOf(bar: Bar, { selection, days }: ChartData): string {
  const day = days.find(({ trading_date }) => trading_date === bar.tradingDate)
  const price = (value: number): string => (selection.isAdjusted ? rounded(value) : grouped(value))
  const limits =
    day && !selection.isAdjusted
      ? ` · ceiling ${grouped(day.ceiling)} ref ${grouped(day.ref_price)} floor ${grouped(day.floor)}`
      : ''
  const flow = day && selection.timeframe === '1d' ? ` · foreign net ${amount(day.foreign_net_value)}` : ''
  const prices = `O ${price(bar.open)} H ${price(bar.high)} L ${price(bar.low)} C ${price(bar.close)}`
  return `${timeOf(bar, selection)} · ${prices} · volume ${rounded(bar.volume, 0)}${limits}${flow}`
}

function BarTable({ data: { bars, selection } }: { data: ChartData }) {
  const [isOpen, setOpen] = useState(false)
  const latest = useMemo(() => bars.slice(-SHOWN_BARS).reverse(), [bars])
  const number = (title: 'open' | 'high' | 'low' | 'close' | 'volume' | 'value') => ({
    title,
    isNumber: true,
    cell: (bar: Bar) =>
      selection.isAdjusted && title !== 'value' ? rounded(bar[title]) : grouped(bar[title]),
  })
  const caption =
    bars.length > SHOWN_BARS
      ? `The latest ${SHOWN_BARS} of ${grouped(bars.length)} bars of ${selection.symbol}, exchange time`
      : `${grouped(bars.length)} bars of ${selection.symbol}, exchange time`
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Bars as a table</summary>
      {isOpen && (
        <DataTable
          caption={caption}
          columns={[
            {
              title: selection.timeframe === '1d' ? 'session' : 'opened at',
              cell: (bar) => timeOf(bar, selection),
            },
            number('open'),
            number('high'),
            number('low'),
            number('close'),
            number('volume'),
            number('value'),
          ]}
          rows={latest}
        />
      )}
    </details>
  )
}

/** A declared action may have no reference price to compare. */
function priceOr(value: Row[string] | undefined): string {
  return value === null || value === undefined ? '–' : grouped(value)
}

function EventTable({ data: { events, selection } }: { data: ChartData }) {
  return (
    <details>
      <summary>Adjustment events ({events.length})</summary>
      <DataTable
        caption={`Sessions of ${selection.symbol} whose reference price shows a corporate action, or that have a declared one`}
        columns={[
          { title: 'ex-date', cell: (row) => String(row.ex_date) },
          { title: 'state', cell: (row) => String(row.state) },
          { title: 'declared', cell: (row) => String(row.kinds) || 'nothing' },
          { title: 'factor', isNumber: true, cell: (row) => Number(row.factor).toFixed(6) },
          { title: 'basis before', isNumber: true, cell: (row) => priceOr(row.previous_basis) },
          { title: 'reference', isNumber: true, cell: (row) => priceOr(row.ref_price) },
          { title: 'remark', cell: (row) => String(row.remark) },
        ]}
        rows={events}
        empty="None is known."
      />
    </details>
  )
}
