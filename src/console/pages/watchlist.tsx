import { useRef, useState } from 'preact/hooks'
import { type Row, view } from './api.js'
import { chartAddress } from './chart/chart-address.js'
import { changeWords } from './chart/legend.js'
import { SymbolBox } from './chart/symbol-box.js'
import { useSymbols } from './chart/symbol-list.js'
import { Failure } from './command.js'
import { DataTable } from './data-table.js'
import { useLoaded } from './loaded.js'
import { NotLoaded } from './not-loaded.js'
import { keepWatched, readWatched } from './watched.js'
import { rounded } from './words.js'

/** The list of the address, `#/watchlist/FPT,VN30`; without one the user's own. */
export function WatchlistPage({ words }: { words: readonly string[] }) {
  const named = words[0] ?? ''
  const [change, setChange] = useState(0)
  const [refused, setRefused] = useState<Error>()
  const { symbols, load } = useSymbols()
  const stored = useRef<StoredRows>({ list: '', rows: [] }).current
  const { value, error } = useLoaded(async () => await loadList(named, stored), [named, change])
  if (!value) return <NotLoaded title="Watchlist" error={error} />
  const { kept, list, rows } = value
  const keep = (next: readonly string[]) => {
    keepWatched(next).then(() => {
      setRefused(undefined)
      if (named) location.hash = '#/watchlist'
      else setChange((before) => before + 1)
    }, setRefused)
  }
  const unknown = list.filter((symbol) => !rows.some((row) => row.symbol === symbol))
  return (
    <>
      <h1>Watchlist</h1>
      {(refused ?? error) && <Failure error={(refused ?? error) as Error} />}
      <div class="toolbar">
        <SymbolBox
          label="Watch"
          value=""
          symbols={symbols}
          onFocus={load}
          onPick={(symbol) => symbol && keep([...list, symbol])}
        />
        {named && list.join() !== kept.join() && (
          <button type="button" onClick={() => keep(list)}>
            Keep this list as mine
          </button>
        )}
        {list.length > 0 && (
          <a href={`#/watchlist/${list.map(encodeURIComponent).join(',')}`}>Link to this list</a>
        )}
      </div>
      {unknown.length > 0 && <p class="quiet">No session is stored of: {unknown.join(', ')}.</p>}
      <section class="card screen">
        <DataTable
          caption="Closes of the latest session stored; changes adjusted"
          rows={rows}
          empty={
            list.length === 0
              ? 'You watch nothing yet: add a symbol above.'
              : 'Nothing is stored of these symbols.'
          }
          columns={[
            ...FIGURES,
            ...(rows.some(({ chain_known_from: from }) => from !== null) ? [KNOWN_FROM] : []),
            {
              title: 'remove',
              cell: ({ symbol }) => (
                <button
                  type="button"
                  class="plain"
                  aria-label={`Remove ${symbol}`}
                  onClick={() => keep(list.filter((other) => other !== symbol))}
                >
                  ✕
                </button>
              ),
            },
          ]}
        />
      </section>
    </>
  )
}

/** Rows of the last list: keeping it as one's own asks for nothing. */
interface StoredRows {
  list: string
  rows: Row[]
}

async function loadList(
  named: string,
  stored: StoredRows,
): Promise<{ kept: string[]; list: string[]; rows: Row[] }> {
  const kept = await readWatched()
  const list = named ? named.split(',').filter(Boolean) : kept
  const symbols = list.join()
  if (symbols !== stored.list)
    Object.assign(stored, {
      list: symbols,
      rows: list.length > 0 ? await view('watchlist', { symbols }) : [],
    })
  return { kept, list, rows: stored.rows }
}

/** A fraction as a change; empty where it is not known. */
function changed(part: unknown): string {
  return part === null || part === undefined ? '' : changeWords(Number(part))
}

const FIGURES = [
  {
    title: 'symbol',
    cell: ({ symbol }: Row) => <a href={chartAddress({ symbol: String(symbol) })}>{String(symbol)}</a>,
  },
  { title: 'close', isNumber: true, cell: ({ close }: Row) => rounded(close) },
  { title: '1 session', isNumber: true, cell: ({ change_1 }: Row) => changed(change_1) },
  { title: '5 sessions', isNumber: true, cell: ({ change_5 }: Row) => changed(change_5) },
  { title: '20 sessions', isNumber: true, cell: ({ change_20 }: Row) => changed(change_20) },
  { title: 'last 60', cell: ({ line }: Row) => <Sparkline values={(line as unknown[]).map(Number)} /> },
  { title: 'session', cell: ({ trading_date }: Row) => String(trading_date) },
  { title: 'name', cell: ({ name }: Row) => String(name) },
]

/** Changes and lines that reach back further may miss an adjustment; empty where none does. */
const KNOWN_FROM = {
  title: 'adjusted from',
  cell: ({ chain_known_from: from }: Row) => String(from ?? ''),
}

const [LINE_W, LINE_H] = [120, 22]

/** A line without axes; its numbers are in the columns beside it. */
function Sparkline({ values }: { values: readonly number[] }) {
  const [least, most] = [Math.min(...values), Math.max(...values)]
  const y = (value: number): number => LINE_H - 1 - ((value - least) / (most - least || 1)) * (LINE_H - 2)
  const x = (index: number): number => (index / Math.max(1, values.length - 1)) * LINE_W
  return (
    <svg class="sparkline" width={LINE_W} height={LINE_H} aria-hidden="true">
      <polyline
        points={values.map((value, index) => `${x(index).toFixed(1)},${y(value).toFixed(1)}`).join(' ')}
      />
    </svg>
  )
}
