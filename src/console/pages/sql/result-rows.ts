import { get } from '../api.js'
import type { Sorting } from './cell-range.js'

const PAGE = 500
const MOST_PAGES = 40
/** Rows of one request for many. */
const MANY = 5_000

/** Rows of a kept result in one order, fetched page by page; pages that were not looked at for long are forgotten. */
export class ResultRows {
  private readonly pages = new Map<number, unknown[][]>()
  private readonly asked = new Set<number>()

  /**
   * @param head the first rows, where they are here already
   * @param onRows more rows are here
   */
  constructor(
    private readonly id: number,
    head: unknown[][],
    private readonly onRows: () => void,
    private readonly sorting?: Sorting,
  ) {
    if (head.length > 0) this.pages.set(0, head)
  }

  /** Undefined until its page is here. */
  row(index: number): unknown[] | undefined {
    const page = Math.floor(index / PAGE)
    const row = this.pages.get(page)?.[index % PAGE]
    if (row === undefined) this.fetch(page)
    return row
  }

  /** Rows from one on, those that are here without asking again. */
  async range(from: number, count: number): Promise<unknown[][]> {
    const rows: unknown[][] = []
    while (rows.length < count) {
      const here = this.stored(from + rows.length)
      const more =
        here.length > 0 ? here : await this.read(from + rows.length, Math.min(MANY, count - rows.length))
      if (more.length === 0) break
      rows.push(...more.slice(0, count - rows.length))
    }
    return rows
  }

  /** The rest of the page of a row. */
  private stored(index: number): unknown[][] {
    return this.pages.get(Math.floor(index / PAGE))?.slice(index % PAGE) ?? []
  }

  private fetch(page: number): void {
    if (this.asked.has(page)) return
    this.asked.add(page)
    this.read(page * PAGE, PAGE).then(
      (rows) => {
        this.asked.delete(page)
        this.pages.delete(page)
        // A page of a running result may not be whole yet: it is asked for again when a row of it is missing.
        this.pages.set(page, rows)
        for (const old of [...this.pages.keys()].slice(0, -MOST_PAGES)) this.pages.delete(old)
        this.onRows()
      },
      () => this.asked.delete(page),
    )
  }

  private async read(from: number, count: number): Promise<unknown[][]> {
    const order = this.sorting
      ? { sort: String(this.sorting.column), descending: String(this.sorting.descending) }
      : {}
    return await get<unknown[][]>(`/api/results/${this.id}/rows`, {
      from: String(from),
      count: String(count),
      ...order,
    })
  }
}
