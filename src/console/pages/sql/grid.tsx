import {
  elementScroll,
  observeElementOffset,
  observeElementRect,
  type VirtualItem,
  Virtualizer,
} from '@tanstack/virtual-core'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Column } from '../api.js'
import { ResultRows } from './result-rows.js'

const ROW_PX = 24

interface Props {
  id: number
  columns: readonly Column[]
  /** Rows so far. */
  count: number
}

/** A result of any length: only the rows on the screen are in the page. Arrows move the active cell. */
export function Grid({ id, columns, count }: Props) {
  const scroller = useRef<HTMLDivElement>(null)
  const [, redraw] = useState(0)
  const [active, setActive] = useState({ row: 0, column: 0 })
  const rows = useRef<{ id: number; rows: ResultRows }>(undefined)
  if (rows.current?.id !== id)
    rows.current = { id, rows: new ResultRows(id, () => redraw((turn) => turn + 1)) }
  const virtual = useVirtualRows(scroller, count, () => redraw((turn) => turn + 1))
  const onKeyDown = (event: KeyboardEvent) => {
    const next = movedBy(event, active, count, columns.length)
    if (!next) return
    event.preventDefault()
    setActive(next)
    virtual.scrollToIndex(next.row, { align: 'auto' })
  }
  const template = { gridTemplateColumns: `5rem ${columns.map(({ type }) => widthOf(type)).join(' ')}` }
  const cellId = (row: number, column: number) => `cell-${row}-${column}`
  return (
    <div
      ref={scroller}
      class="grid"
      role="grid"
      tabIndex={0}
      aria-label="Rows of the result"
      aria-rowcount={count + 1}
      aria-colcount={columns.length}
      aria-activedescendant={count > 0 ? cellId(active.row, active.column) : undefined}
      onKeyDown={onKeyDown}
    >
      <div class="grid-row grid-head" role="row" aria-rowindex={1} style={template}>
        <span role="presentation" />
        {columns.map(({ name, type }, index) => (
          <span key={index} role="columnheader" class={isNumeric(type) ? 'number' : ''} title={type}>
            {name}
          </span>
        ))}
      </div>
      <div role="rowgroup" class="grid-body" style={{ height: `${virtual.getTotalSize()}px` }}>
        {virtual.getVirtualItems().map(({ index, start }: VirtualItem) => {
          const row = rows.current?.rows.row(index)
          return (
            <div
              key={index}
              class="grid-row"
              role="row"
              aria-rowindex={index + 2}
              style={{ ...template, transform: `translateY(${start}px)` }}
            >
              <span class="number quiet" aria-hidden="true">
                {index + 1}
              </span>
              {columns.map(({ type }, column) => (
                <span
                  key={column}
                  id={cellId(index, column)}
                  role="gridcell"
                  class={cellClass(type, row?.[column], index === active.row && column === active.column)}
                  onClick={() => setActive({ row: index, column })}
                >
                  {row ? textOf(row[column], type) : '…'}
                </span>
              ))}
            </div>
          )
        })}
      </div>
    </div>
  )
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

interface Cell {
  row: number
  column: number
}

const PAGE_ROWS = 20

/** Where a key leads; undefined for keys that are not the grid's. */
function movedBy(
  { key, ctrlKey }: KeyboardEvent,
  { row, column }: Cell,
  rows: number,
  columns: number,
): Cell | undefined {
  const steps: Record<string, [number, number]> = {
    ArrowDown: [1, 0],
    ArrowUp: [-1, 0],
    ArrowRight: [0, 1],
    ArrowLeft: [0, -1],
    PageDown: [PAGE_ROWS, 0],
    PageUp: [-PAGE_ROWS, 0],
    Home: ctrlKey ? [-rows, -columns] : [0, -columns],
    End: ctrlKey ? [rows, columns] : [0, columns],
  }
  const step = steps[key]
  if (!step) return undefined
  const within = (value: number, most: number): number => Math.max(0, Math.min(most - 1, value))
  return { row: within(row + step[0], rows), column: within(column + step[1], columns) }
}

export function isNumeric(type: string): boolean {
  return /^(U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|DECIMAL|DOUBLE|FLOAT)/.test(type)
}

function widthOf(type: string): string {
  if (isNumeric(type) || type === 'DATE' || type === 'BOOLEAN') return 'minmax(8rem, 1fr)'
  return type.startsWith('TIMESTAMP') ? 'minmax(13rem, 1fr)' : 'minmax(10rem, 2fr)'
}

function cellClass(type: string, value: unknown, isActive: boolean): string {
  return [isNumeric(type) ? 'number' : '', value === null ? 'null' : '', isActive ? 'active' : '']
    .join(' ')
    .trim()
}

/** As the table of `candlehouse sql`: instants in exchange time, with every digit; all other values exact. */
function textOf(value: unknown, type: string): string {
  if (value === null || value === undefined) return 'NULL'
  if (type === 'TIMESTAMP WITH TIME ZONE') return instantText(String(value))
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** `2025-03-14 09:15:00.5+07`; infinity and what the browser's calendar does not reach stay as they are. */
function instantText(text: string): string {
  const [, seconds = '', fraction = ''] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d+)?Z$/.exec(text) ?? []
  if (seconds === '') return text
  const local = new Date(Date.parse(`${seconds}Z`) + 7 * 3_600_000).toISOString()
  return `${local.slice(0, 19).replace('T', ' ')}${fraction}+07`
}
