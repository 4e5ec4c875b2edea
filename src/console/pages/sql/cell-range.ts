/** A cell of the grid; row -1 is that of the titles. */
export interface Cell {
  row: number
  column: number
}

/** Cells that are chosen together, from where the choice began to the active one. */
export interface CellRange {
  anchor: Cell
  active: Cell
}

/** What an event of the keyboard has. */
export interface PressedKey {
  readonly key: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
}

const PAGE_ROWS = 20

/** Where a key leads; undefined for keys that are not the grid's. */
export function movedBy(
  { key, ctrlKey, metaKey }: PressedKey,
  { row, column }: Cell,
  rows: number,
  columns: number,
): Cell | undefined {
  const isFar = ctrlKey || metaKey
  const steps: Record<string, [number, number]> = {
    ArrowDown: [1, 0],
    ArrowUp: [-1, 0],
    ArrowRight: [0, 1],
    ArrowLeft: [0, -1],
    PageDown: [PAGE_ROWS, 0],
    PageUp: [-PAGE_ROWS, 0],
    Home: isFar ? [-rows, -columns] : [0, -columns],
    End: isFar ? [rows, columns] : [0, columns],
  }
  const step = steps[key]
  if (!step) return undefined
  // Only a single step up leads from the first row to the titles.
  const least = key === 'ArrowUp' || row < 0 ? -1 : 0
  const within = (value: number, from: number, most: number): number =>
    Math.max(from, Math.min(most - 1, value))
  const isHome = key === 'Home' && isFar
  return {
    row: within(row + step[0], isHome ? 0 : least, rows),
    column: within(column + step[1], 0, columns),
  }
}

/** The first and last rows and columns of a range, without the titles. */
export function boundsOf({ anchor, active }: CellRange) {
  const [top, bottom] = [Math.min(anchor.row, active.row), Math.max(anchor.row, active.row)]
  return {
    top: Math.max(0, top),
    bottom: Math.max(0, bottom),
    left: Math.min(anchor.column, active.column),
    right: Math.max(anchor.column, active.column),
  }
}

export function isWithin({ row, column }: Cell, range: CellRange): boolean {
  const { top, bottom, left, right } = boundsOf(range)
  return row >= top && row <= bottom && column >= left && column <= right
}

/** How rows are sorted: by a column, up or down; undefined: as the statement gives them. */
export type Sorting = { column: number; descending: boolean } | undefined

/** What another click on a title does: up, then down, then as the statement gives them. */
export function sortedNext(sorting: Sorting, column: number): Sorting {
  if (sorting?.column !== column) return { column, descending: false }
  return sorting.descending ? undefined : { column, descending: true }
}
