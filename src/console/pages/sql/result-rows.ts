import { get } from '../api.js'

const PAGE = 500
const MOST_PAGES = 40

/** Rows of a kept result, fetched page by page; pages that were not looked at for long are forgotten. */
export class ResultRows {
  private readonly pages = new Map<number, unknown[][]>()
  private readonly asked = new Set<number>()

  constructor(
    private readonly id: number,
    private readonly onRows: () => void,
  ) {}

  /** Undefined until its page is here. */
  row(index: number): unknown[] | undefined {
    const page = Math.floor(index / PAGE)
    const rows = this.pages.get(page)
    const row = rows?.[index % PAGE]
    if (row === undefined) this.fetch(page)
    return row
  }

  /** The first rows, for a chart. */
  async first(count: number): Promise<unknown[][]> {
    const rows: unknown[][] = []
    while (rows.length < count) {
      const page = await this.read(rows.length, Math.min(5_000, count - rows.length))
      if (page.length === 0) break
      rows.push(...page)
    }
    return rows
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
    return await get<unknown[][]>(`/api/results/${this.id}/rows`, {
      from: String(from),
      count: String(count),
    })
  }
}
