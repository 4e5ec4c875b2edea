import {
  elementScroll,
  observeElementOffset,
  observeElementRect,
  type VirtualItem,
  Virtualizer,
} from '@tanstack/virtual-core'
import { isNumberType } from 'candlehouse-foundation/number-text'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { shownCell } from '../../../read/shown-cell.js'
import type { Column } from '../api.js'
import { grouped } from '../words.js'
import { tabSeparated, widthsOf } from './cell.js'
import {
  boundsOf,
  type Cell,
  type CellRange,
  isWithin,
  movedBy,
  type Sorting,
  sortedNext,
} from './cell-range.js'
import { ResultRows } from './result-rows.js'

const ROW_PX = 24

/** Rows that a copy takes at most: a download has all. */
const MOST_COPIED = 50_000

const FIRST: Cell = { row: 0, column: 0 }

interface Props {
  id: number
  columns: readonly Column[]
  /** Rows so far. */
  count: number
  /** The first rows. */
  head: unknown[][]
  /** Whether all rows are stored: then they can be sorted. */
  isDone: boolean
  /** Said below the toolbar: what was copied, how rows are sorted. */
  onWords(words: string): void
}

/** A result of any length: only the rows on the screen are in the page. Arrows move the active cell, with Shift they choose several. */
export function Grid({ id, columns, count, head, isDone, onWords }: Props) {
  const scroller = useRef<HTMLDivElement>(null)
  const [, redraw] = useState(0)
  const onChange = () => redraw((turn) => turn + 1)
  const [range, setRange] = useState<CellRange>({ anchor: FIRST, active: FIRST })
  const [sorting, setSorting] = useState<Sorting>()
  const rows = useRows(id, head, sorting, onChange)
  const virtual = useVirtualRows(scroller, count, onChange)
  const sort = (column: number) => {
    if (!isDone) return onWords('Rows are sorted once all of them are here.')
    const next = sortedNext(sorting, column)
    setSorting(next)
    virtual.scrollToIndex(0)
    onWords(sortingWords(next, columns, count))
  }
  const choose = (cell: Cell, isMore: boolean) =>
    setRange(({ anchor }) => ({ anchor: isMore ? anchor : cell, active: cell }))
  const onKeyDown = (event: KeyboardEvent) => {
    const { active } = range
    const isControl = event.ctrlKey || event.metaKey
    if (isControl && event.key === 'c') void copied(rows, range, count).then(onWords, failedCopy(onWords))
    else if (isControl && event.key === 'a')
      setRange({ anchor: FIRST, active: { row: count - 1, column: columns.length - 1 } })
    else if (event.key === 'Enter' && active.row < 0) sort(active.column)
    else {
      const next = movedBy(event, active, count, columns.length)
      if (!next) return
      choose(next, event.shiftKey)
      if (next.row >= 0) virtual.scrollToIndex(next.row, { align: 'auto' })
      showColumn(scroller.current, next.column)
    }
    event.preventDefault()
  }
  const template = useMemo(() => templateOf(columns, head, count), [columns, head, count])
  return (
    <div
      ref={scroller}
      class="grid"
      role="grid"
      tabIndex={0}
      aria-label="Rows of the result"
      aria-multiselectable="true"
      aria-rowcount={count + 1}
      aria-colcount={columns.length}
      aria-activedescendant={cellId(range.active)}
      onKeyDown={onKeyDown}
    >
      <Titles columns={columns} template={template} active={range.active} sorting={sorting} onSort={sort} />
      <div role="rowgroup" class="grid-body" style={{ height: `${virtual.getTotalSize()}px` }}>
        {virtual.getVirtualItems().map(({ index, start }: VirtualItem) => (
          <GridRow
            key={index}
            index={index}
            row={rows.row(index)}
            columns={columns}
            style={{ ...template, transform: `translateY(${start}px)` }}
            range={range}
            onChoose={choose}
          />
        ))}
      </div>
    </div>
  )
}

interface TitlesProps {
  columns: readonly Column[]
  template: Record<string, string>
  active: Cell
  sorting: Sorting
  onSort(column: number): void
}

function Titles({ columns, template, active, sorting, onSort }: TitlesProps) {
  const wordOf = (index: number) =>
    sorting?.column !== index ? 'none' : sorting.descending ? 'descending' : 'ascending'
  return (
    <div class="grid-row grid-head" role="row" aria-rowindex={1} style={template}>
      <span role="presentation" />
      {columns.map(({ name, type }, index) => (
        <span
          key={index}
          id={cellId({ row: -1, column: index })}
          role="columnheader"
          aria-sort={wordOf(index)}
          class={`title ${isNumberType(type) ? 'number' : ''} ${active.row < 0 && active.column === index ? 'active' : ''}`}
          title={`${type}; click to sort all rows`}
          onClick={() => onSort(index)}
        >
          {name}
          {sorting?.column === index && <span aria-hidden="true">{sorting.descending ? ' ▼' : ' ▲'}</span>}
        </span>
      ))}
    </div>
  )
}

interface GridRowProps {
  index: number
  row: unknown[] | undefined
  columns: readonly Column[]
  style: Record<string, string>
  range: CellRange
  onChoose(cell: Cell, isMore: boolean): void
}

function GridRow({ index, row, columns, style, range, onChoose }: GridRowProps) {
  return (
    <div class="grid-row" role="row" aria-rowindex={index + 2} style={style}>
      <span class="number quiet" aria-hidden="true">
        {grouped(index + 1)}
      </span>
      {columns.map((column, at) => {
        const cell = { row: index, column: at }
        const isChosen = range.active.row >= 0 && isWithin(cell, range)
        return (
          <span
            key={at}
            id={cellId(cell)}
            role="gridcell"
            aria-selected={isChosen}
            class={cellClass(
              column.type,
              row?.[at],
              index === range.active.row && at === range.active.column,
            )}
            onPointerDown={(event) => onChoose(cell, event.shiftKey)}
            onPointerEnter={(event) =>
              event.buttons === 1 && event.pointerType === 'mouse' && onChoose(cell, true)
            }
          >
            {row ? shownCell(row[at], column) : '…'}
          </span>
        )
      })}
    </div>
  )
}

function cellId({ row, column }: Cell): string {
  return `cell-${row}-${column}`
}

/** The rows of a result in an order; another result or another order begins anew. */
function useRows(id: number, head: unknown[][], sorting: Sorting, onRows: () => void): ResultRows {
  const rows = useRef<{ id: number; sorting: Sorting; rows: ResultRows }>(undefined)
  if (rows.current?.id !== id || rows.current.sorting !== sorting)
    rows.current = { id, sorting, rows: new ResultRows(id, sorting ? [] : head, onRows, sorting) }
  return rows.current.rows
}

function sortingWords(sorting: Sorting, columns: readonly Column[], count: number): string {
  if (!sorting) return 'Rows are in the order of the statement.'
  const way = sorting.descending ? 'descending' : 'ascending'
  return `All ${grouped(count)} stored rows sorted by ${columns[sorting.column]?.name}, ${way}.`
}

/** Copies the chosen cells, exact. @returns what was copied, in words */
async function copied(rows: ResultRows, range: CellRange, count: number): Promise<string> {
  const { top, bottom, left, right } = boundsOf(range)
  const asked = Math.min(bottom + 1, count) - top
  const chosen = await rows.range(top, Math.min(asked, MOST_COPIED))
  await navigator.clipboard.writeText(tabSeparated(chosen.map((row) => row.slice(left, right + 1))))
  const all = asked > MOST_COPIED ? `, the first of ${grouped(asked)}: a download has all` : ''
  return asked === 1 && left === right
    ? 'Copied the value, with every digit.'
    : `Copied ${grouped(chosen.length)} × ${right - left + 1} values, with every digit${all}.`
}

function failedCopy(onWords: (words: string) => void) {
  return (error: Error) => onWords(`Not copied: ${error.message}`)
}

/** Arrows may lead to a column beside the screen. */
function showColumn(scroller: HTMLDivElement | null, column: number): void {
  scroller
    ?.querySelector(`[id="${cellId({ row: -1, column })}"]`)
    ?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
}

function useVirtualRows(
  scroller: { current: HTMLDivElement | null },
  count: number,
  onChange: () => void,
): Virtualizer<HTMLDivElement, HTMLDivElement> {
  const [virtual] = useState(
    () => new Virtualizer<HTMLDivElement, HTMLDivElement>(optionsOf(scroller, count, onChange)),
  )
  virtual.setOptions(optionsOf(scroller, count, onChange))
  useLayoutEffect(() => virtual._didMount(), [])
  useLayoutEffect(() => virtual._willUpdate())
  useEffect(onChange, [count])
  return virtual
}

function optionsOf(scroller: { current: HTMLDivElement | null }, count: number, onChange: () => void) {
  return {
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 12,
    scrollPaddingStart: ROW_PX,
    scrollToFn: elementScroll,
    observeElementRect,
    observeElementOffset,
    onChange,
  }
}

/** Room for a character of the grid, in rem: bold titles and rows have the same columns. */
const CHARACTER = 0.52
const PADDING = 1.2

/** Columns as wide as their first rows, and wider where there is room. */
function templateOf(
  columns: readonly Column[],
  head: readonly unknown[][],
  count: number,
): Record<string, string> {
  const rem = (characters: number): string => `${(characters * CHARACTER + PADDING).toFixed(2)}rem`
  const widths = widthsOf(columns, head).map((characters) => `minmax(${rem(characters)}, 1fr)`)
  // One more than the digits: digits of some fonts are wider, and a number that is cut names another row.
  return { gridTemplateColumns: `${rem(grouped(count).length + 1)} ${widths.join(' ')}` }
}

function cellClass(type: string, value: unknown, isActive: boolean): string {
  return [isNumberType(type) ? 'number' : '', value === null ? 'null' : '', isActive ? 'active' : '']
    .join(' ')
    .trim()
}
