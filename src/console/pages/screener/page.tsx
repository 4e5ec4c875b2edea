import { useMemo } from 'preact/hooks'
import { type Row, view } from '../api.js'
import { chartAddress } from '../chart/chart-address.js'
import { Failure } from '../command.js'
import { DataTable, type TableColumn } from '../data-table.js'
import { useLoaded } from '../loaded.js'
import { Pager } from '../pager.js'
import { grouped } from '../words.js'
import { ScreenFilters } from './filters.js'
import { NUMBER_COLUMNS, numberWords, unknownTitles } from './number-columns.js'
import { PAGE_ROWS, type Screen, screenAddress, screened, screenOf } from './screen.js'

export function ScreenerPage({ words }: { words: readonly string[] }) {
  const screen = screenOf(words)
  const { session } = screen
  const { value, error } = useLoaded(async () => await view('screener', { session }), [session])
  return (
    <>
      <h1>
        Screener <span class="quiet">{value?.[0] ? String(value[0].trading_date) : ''}</span>
      </h1>
      {error && <Failure error={error} />}
      {value ? <ScreenView rows={value} screen={screen} /> : !error && <p class="quiet">Loading…</p>}
    </>
  )
}

function ScreenView({ rows, screen }: { rows: readonly Row[]; screen: Screen }) {
  const key = screenAddress({ ...screen, page: 1 })
  const unknown = useMemo(() => unknownTitles(rows), [rows])
  const uncertain = uncertainWords(rows)
  const found = useMemo(() => screened(rows, screen), [rows, key])
  const pages = Math.max(1, Math.ceil(found.length / PAGE_ROWS))
  const page = Math.min(screen.page, pages)
  const shown = found.slice((page - 1) * PAGE_ROWS, page * PAGE_ROWS)
  const first = (page - 1) * PAGE_ROWS + 1
  const range = pages > 1 ? ` Shown: ${grouped(first)} to ${grouped(first + shown.length - 1)}.` : ''
  return (
    <>
      <ScreenFilters rows={rows} screen={screen} />
      <p class="legend" role="status">
        {grouped(found.length)} of {grouped(rows.length)} symbols.{range}
      </p>
      {unknown.length > 0 && (
        <p class="quiet">
          Not known of any symbol in this session: {unknown.join(', ')}. What each needs is in the dictionary:{' '}
          <a href="#/dictionary/mart.daily_factor">mart.daily_factor</a>
        </p>
      )}
      {uncertain.length > 0 && (
        <p class="quiet">
          Returns, highs and lows that reach back further may miss an adjustment: {uncertain.join(', ')}.{' '}
          <a href="#/dictionary/mart.chain_gap">What is compared</a>
        </p>
      )}
      <section class="card screen">
        <DataTable
          caption="Symbols and their factors: a title sorts, a symbol leads to its chart"
          rows={shown}
          empty={rows.length === 0 ? 'No session is stored yet.' : 'No symbol is within all filters.'}
          columns={columnsOf(screen)}
        />
      </section>
      <Pager page={page} pages={pages} addressOf={(to) => screenAddress({ ...screen, page: to })} />
    </>
  )
}

/** Symbols that are named: more fill the page before the table begins. */
const NAMED = 8

/** `FPT before 2026-11-19`: symbols of which an adjustment is not known. */
function uncertainWords(rows: readonly Row[]): string[] {
  const uncertain = rows.filter(({ chain_known_from: from }) => from !== null)
  const named = uncertain
    .slice(0, NAMED)
    .map(({ symbol, chain_known_from: from }) => `${symbol} before ${from}`)
  return uncertain.length > NAMED ? [...named, `${grouped(uncertain.length - NAMED)} more`] : named
}

function columnsOf(screen: Screen): TableColumn<Row>[] {
  const sortBy = (name: string, isDescendingFirst: boolean): NonNullable<TableColumn<Row>['sort']> => {
    const isSorted = screen.sort === name
    const isDescending = isSorted ? !screen.isDescending : isDescendingFirst
    return {
      href: screenAddress({ ...screen, sort: name, isDescending, page: 1 }),
      direction: isSorted ? (screen.isDescending ? 'descending' : 'ascending') : undefined,
    }
  }
  return [
    {
      title: 'symbol',
      sort: sortBy('symbol', false),
      cell: ({ symbol, name }) => (
        <a href={chartAddress({ symbol: String(symbol) })} title={String(name)}>
          {String(symbol)}
        </a>
      ),
    },
    { title: 'board', cell: ({ board }) => String(board ?? '') },
    ...NUMBER_COLUMNS.map((column) => ({
      title: column.unit === 'percent' ? `${column.title} %` : column.title,
      isNumber: true,
      sort: sortBy(column.name, true),
      cell: (row: Row) => numberWords(row, column),
    })),
  ]
}
