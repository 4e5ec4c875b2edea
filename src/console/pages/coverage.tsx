import { counted } from 'candlehouse-foundation/number-text'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { get, type Row, view } from './api.js'
import { readColours, watchScheme } from './chart/style-colours.js'
import { ChoiceField } from './choice-field.js'
import { type CoverageView, coverageAddress, coverageViewOf, coveredSymbols } from './coverage-view.js'
import { DataTable } from './data-table.js'
import { FindField } from './find-field.js'
import { useLoaded } from './loaded.js'
import { NoSuch } from './no-such.js'
import { NotLoaded } from './not-loaded.js'
import { traceAddress } from './trace.js'
import { grouped } from './words.js'

const WORDS: Record<string, string> = {
  c: 'complete',
  e: 'empty: nothing traded',
  i: 'incomplete',
  r: 'refused: beyond what the service has',
  m: 'imported',
  '-': 'never requested',
}

const CELL_H = 14
/** Above the map: days, as far as they have room. */
const HEAD_H = 20

/** Few sessions get wide cells: 5 of them are no strip at the edge. */
function cellWidth(days: number): number {
  return Math.max(14, Math.min(56, Math.floor(700 / Math.max(1, days))))
}

export function CoveragePage({ words }: { words: readonly string[] }) {
  const shownView = coverageViewOf(words)
  const { value, error } = useLoaded(
    async () => await Promise.all([view('coverage_map', { timeframe: '1m' }), view('coverage_sessions')]),
    [],
  )
  if (!value) return <NotLoaded title="Coverage of 1m bars" error={error} />
  const [symbols, sessions] = value
  const days = sessions.map(({ trading_date }) => String(trading_date))
  if (days.length === 0) {
    return (
      <>
        <h1>Coverage of 1m bars</h1>
        <p class="quiet">No session is stored yet.</p>
      </>
    )
  }
  const isKnown = symbols.some(({ symbol }) => symbol === shownView.symbol)
  return (
    <>
      <h1>Coverage of 1m bars</h1>
      <p class="quiet">
        A row per symbol, a column per session, the last {days.length}. Arrows choose a symbol; its sessions
        are in the table below. Full: complete. Hollow: nothing traded. Half: imported. Cross: incomplete.
        Dot: never requested or refused.
      </p>
      {shownView.symbol && !isKnown && <NoSuch what="symbol" name={shownView.symbol} shown="all symbols" />}
      <Covered symbols={symbols} days={days} shownView={shownView} />
    </>
  )
}

interface CoveredProps {
  symbols: readonly Row[]
  days: readonly string[]
  shownView: CoverageView
}

/** Filters, the map of the symbols within them, and the sessions of the chosen one. */
function Covered({ symbols, days, shownView }: CoveredProps) {
  const key = coverageAddress(shownView)
  const { shown, goneCount } = useMemo(() => coveredSymbols(symbols, shownView), [symbols, key])
  const active = Math.max(
    0,
    shown.findIndex(({ symbol }) => symbol === shownView.symbol),
  )
  const chosen = shown[active]
  const choose = (index: number) =>
    location.replace(coverageAddress({ ...shownView, symbol: String(shown[index]?.symbol ?? '') }))
  return (
    <>
      <CoverageFilters symbols={symbols} shownView={shownView} goneCount={goneCount} />
      <p class="quiet" role="status">
        {counted(shown.length, 'symbol')} of {grouped(symbols.length)}
        {goneCount > 0 && !shownView.withGone && `; ${grouped(goneCount)} expired or gone are folded away`}
      </p>
      {chosen ? (
        <>
          <CoverageMap symbols={shown} days={days} active={active} onActive={choose} />
          <SymbolDays symbol={String(chosen.symbol)} letters={String(chosen.letters)} days={days} />
        </>
      ) : (
        <p class="quiet">No symbol is within all filters.</p>
      )}
    </>
  )
}

interface FilterProps {
  symbols: readonly Row[]
  shownView: CoverageView
  goneCount: number
}

function CoverageFilters({ symbols, shownView, goneCount }: FilterProps) {
  const show = (change: Partial<CoverageView>): string =>
    coverageAddress({ ...shownView, symbol: '', ...change })
  const kinds = [...new Set(symbols.map(({ kind }) => String(kind ?? '')))].filter(Boolean).sort()
  const box = (name: 'withGaps' | 'withGone', words: string) => (
    <label class="switch">
      <input
        type="checkbox"
        checked={shownView[name]}
        onChange={(event) => {
          location.hash = show({ [name]: event.currentTarget.checked })
        }}
      />
      {words}
    </label>
  )
  return (
    <div class="toolbar">
      <FindField label="Find a symbol" value={shownView.find} addressOf={(find) => show({ find })} />
      <ChoiceField
        label="kind"
        value={shownView.kind}
        choices={kinds}
        onChoice={(kind) => {
          location.hash = show({ kind })
        }}
      />
      {box('withGaps', 'only incomplete')}
      {(goneCount > 0 || shownView.withGone) && box('withGone', 'expired and gone too')}
    </div>
  )
}

interface MapProps {
  symbols: readonly Row[]
  days: readonly string[]
  active: number
  onActive(index: number): void
}

const NAME_W = 90

function CoverageMap({ symbols, days, active, onActive }: MapProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const head = useRef<HTMLCanvasElement>(null)
  const frame = useRef<HTMLElement>(null)
  useEffect(() => {
    const draw = () => {
      if (head.current) drawDays(head.current, days)
      if (canvas.current) drawMap(canvas.current, symbols, days.length, active)
    }
    draw()
    return watchScheme(draw)
  }, [symbols, days, active])
  useEffect(() => {
    const box = frame.current
    const top = active * CELL_H
    if (box && (top < box.scrollTop || top + CELL_H + HEAD_H > box.scrollTop + box.clientHeight))
      box.scrollTop = top - box.clientHeight / 2
  }, [active])
  const onKeyDown = (event: KeyboardEvent) => {
    const steps: Record<string, number> = {
      ArrowDown: 1,
      ArrowUp: -1,
      PageDown: 25,
      PageUp: -25,
      Home: -symbols.length,
      End: symbols.length,
    }
    const step = steps[event.key]
    if (step === undefined) return
    event.preventDefault()
    onActive(Math.max(0, Math.min(symbols.length - 1, active + step)))
  }
  const rowAt = ({ offsetY }: MouseEvent): number =>
    Math.max(0, Math.min(symbols.length - 1, Math.floor(offsetY / CELL_H)))
  const onMove = (event: MouseEvent & { currentTarget: HTMLCanvasElement }) => {
    const row = symbols[rowAt(event)]
    const column = Math.floor((event.offsetX - NAME_W) / cellWidth(days.length))
    const state = WORDS[String(row?.letters)[column] ?? '-']
    event.currentTarget.title = days[column] ? `${row?.symbol} ${days[column]}: ${state}` : ''
  }
  return (
    <section
      ref={frame}
      class="map card"
      tabIndex={0}
      onKeyDown={onKeyDown}
      aria-label={`Map of ${symbols.length} symbols and ${days.length} sessions`}
    >
      <canvas ref={head} class="head" />
      <canvas ref={canvas} onClick={(event) => onActive(rowAt(event))} onMouseMove={onMove} />
    </section>
  )
}

/** A canvas of that size in pixels of the page, empty. */
function contextOf(
  canvas: HTMLCanvasElement,
  width: number,
  height: number,
): CanvasRenderingContext2D | null {
  const ratio = Math.min(devicePixelRatio, 32_000 / Math.max(1, height))
  canvas.width = width * ratio
  canvas.height = height * ratio
  canvas.style.width = `${width}px`
  canvas.style.height = `${height}px`
  const context = canvas.getContext('2d')
  context?.scale(ratio, ratio)
  if (context) context.font = '11px system-ui, sans-serif'
  if (context) context.textBaseline = 'middle'
  return context
}

/** Room for `14 Mar` and a gap. */
const DAY_W = 48

/** The days of the columns: as many as have room. */
function drawDays(canvas: HTMLCanvasElement, days: readonly string[]): void {
  const cell = cellWidth(days.length)
  const context = contextOf(canvas, NAME_W + days.length * cell + DAY_W, HEAD_H)
  if (!context) return
  context.fillStyle = readColours().text
  let free = 0
  for (const [column, day] of days.entries()) {
    const x = NAME_W + column * cell + 1
    if (x < free) continue
    const words = new Date(day).toLocaleDateString('en-GB', {
      day: 'numeric',
      month: 'short',
      timeZone: 'UTC',
    })
    context.fillText(words, x, HEAD_H / 2)
    free = x + DAY_W
  }
}

function drawMap(canvas: HTMLCanvasElement, symbols: readonly Row[], days: number, active: number): void {
  const cell = cellWidth(days)
  const [width, height] = [NAME_W + days * cell, symbols.length * CELL_H]
  const context = contextOf(canvas, width, height)
  if (!context) return
  const colours = readColours()
  for (const [row, { symbol, letters }] of symbols.entries()) {
    const y = row * CELL_H
    if (row === active) {
      context.fillStyle = colours.band
      context.fillRect(0, y, width, CELL_H)
    }
    context.fillStyle = row === active ? colours.accent : colours.text
    context.fillText(String(symbol).slice(0, 14), 2, y + CELL_H / 2)
    for (const [column, letter] of [...String(letters)].entries())
      drawCell(context, letter, NAME_W + column * cell, y, cell, colours)
  }
}

function drawCell(
  context: CanvasRenderingContext2D,
  letter: string,
  x: number,
  y: number,
  width: number,
  colours: ReturnType<typeof readColours>,
): void {
  context.fillStyle = context.strokeStyle =
    letter === 'i'
      ? colours.down
      : letter === 'm'
        ? colours.accent
        : letter === 'c'
          ? colours.up
          : colours.text
  if (letter === 'c') context.fillRect(x + 1, y + 1, width - 3, CELL_H - 3)
  else if (letter === 'm') context.fillRect(x + 1, y + 1, width - 3, (CELL_H - 3) / 2)
  else if (letter === 'e') context.strokeRect(x + 1.5, y + 1.5, width - 4, CELL_H - 4)
  else if (letter === 'i') context.fillText('✕', x + width / 2 - 5, y + CELL_H / 2)
  else context.fillRect(x + width / 2 - 1, y + CELL_H / 2 - 1, 2, 2)
}

function SymbolDays({ symbol, letters, days }: { symbol: string; letters: string; days: readonly string[] }) {
  const rows = useMemo(
    () => days.map((day, index) => ({ day, letter: letters[index] ?? '-' })).reverse(),
    [days, letters],
  )
  const traceFirstBar = async (day: string) => {
    const { bars } = await get<{ bars: { opened_at: string }[] }>('/api/candles', {
      symbol,
      timeframe: '1m',
      from: day,
      to: day,
    })
    if (bars[0])
      location.hash = traceAddress('market.candle', { symbol, timeframe: '1m', opened_at: bars[0].opened_at })
  }
  return (
    <section class="card">
      <h2 aria-live="polite">{symbol}</h2>
      <DataTable
        caption={`Sessions of ${symbol}, the latest first`}
        rows={rows}
        empty="No session is stored."
        columns={[
          { title: 'session', cell: ({ day }) => day },
          { title: '1m bars', cell: ({ letter }) => WORDS[letter] ?? letter },
          {
            title: 'trace',
            cell: ({ day, letter }) => (
              <>
                <a href={traceAddress('market.daily_summary', { symbol, trading_date: day })}>
                  daily summary
                </a>{' '}
                <a href={traceAddress('market.price_limit', { symbol, trading_date: day })}>price limits</a>{' '}
                {letter === 'c' && (
                  <button type="button" class="link" onClick={() => void traceFirstBar(day)}>
                    first bar
                  </button>
                )}
              </>
            ),
          },
        ]}
      />
    </section>
  )
}
