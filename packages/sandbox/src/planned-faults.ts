/** A fault that a test can plan. */
export type Fault =
  | { kind: 'status'; status: number; body?: string; headers?: Readonly<Record<string, string>> }
  /** Headers added to the normal answer, such as odd rate-limit headers. */
  | { kind: 'headers'; headers: Readonly<Record<string, string>> }
  /** The connection is closed before an answer. */
  | { kind: 'reset' }
  /** The connection breaks after half of the body. */
  | { kind: 'drop' }
  /** Half of the body with a clean end. */
  | { kind: 'truncate' }
  /** A gzip answer whose end is missing, with a clean close; not compressed when the client does not accept gzip. */
  | { kind: 'truncateGzip' }
  | { kind: 'delay'; ms: number }
  /** Adds to the count of the list, under whichever name it has; the page count follows. */
  | { kind: 'itemsCount'; by: number }
  /** Repeats a row of the page; with `change` the two rows differ. */
  | { kind: 'duplicateRow'; row?: number; change?: Readonly<Record<string, unknown>> }
  /** Leaves out the rows of a symbol, or the first row; the count stays. */
  | { kind: 'omitRow'; symbol?: string }
  /** Sets a field on the rows of a symbol (and day), or on the first row when both are absent. */
  | { kind: 'mutate'; symbol?: string; tradingDate?: string; field: string; value: unknown }
  /** Replaces the whole body. */
  | { kind: 'body'; body: string }
  /** 401, as if the token had just expired. */
  | { kind: 'expiredToken' }

interface PlannedFault {
  /** End of the path, such as `ohlc` or `/auth/token`. */
  route: string
  /** Which matching call, from 1. */
  nth: number | 'every'
  /** Only calls with these query values count. */
  query?: Readonly<Record<string, string>>
  fault: Fault
}

export type FaultPlan = readonly PlannedFault[]

/** Counts calls and decides which faults apply to a call. */
export class FaultSchedule {
  private plan: FaultPlan = []
  private calls: number[] = []

  constructor(plan: FaultPlan) {
    this.replace(plan)
  }

  /** Calls are counted from this moment on. */
  replace(plan: FaultPlan): void {
    this.plan = plan
    this.calls = plan.map(() => 0)
  }

  /** The plan, each fault with the number of calls that its route and query matched. */
  shown(): (PlannedFault & { calls: number })[] {
    return this.plan.map((planned, i) => ({ ...planned, calls: this.calls[i] ?? 0 }))
  }

  take(path: string, query: Readonly<Record<string, unknown>>): Fault[] {
    const applied: Fault[] = []
    this.plan.forEach((planned, i) => {
      if (!path.endsWith(planned.route)) return
      if (Object.entries(planned.query ?? {}).some(([key, value]) => query[key] !== value)) return
      const call = (this.calls[i] ?? 0) + 1
      this.calls[i] = call
      if (planned.nth === 'every' || planned.nth === call) applied.push(planned.fault)
    })
    return applied
  }
}

type Row = Record<string, unknown>

/** Applies the faults that change the content of a body. */
export function spoil(body: string, faults: readonly Fault[]): string {
  let text = body
  for (const fault of faults) {
    if (fault.kind === 'body') text = fault.body
    else if (fault.kind === 'truncate') text = text.slice(0, Math.floor(text.length / 2))
    else if (REWRITES.has(fault.kind)) text = rewrite(text, fault as RowFault)
  }
  return text
}

type RowFault = Extract<Fault, { kind: 'itemsCount' | 'duplicateRow' | 'omitRow' | 'mutate' }>

const REWRITES: ReadonlySet<Fault['kind']> = new Set<RowFault['kind']>([
  'itemsCount',
  'duplicateRow',
  'omitRow',
  'mutate',
])

function rewrite(text: string, fault: RowFault): string {
  const body = JSON.parse(text) as Row | Row[]
  const rows = rowsOf(body)
  if (fault.kind === 'itemsCount') {
    recount(body, fault.by)
  } else if (fault.kind === 'duplicateRow') {
    const index = Math.min(fault.row ?? 0, rows.length - 1)
    const row = rows[index]
    if (row) rows.splice(index + 1, 0, { ...row, ...fault.change })
  } else if (fault.kind === 'omitRow') {
    const omitted = rows.filter((row) => fault.symbol === undefined || row.symbol === fault.symbol)
    for (const row of fault.symbol === undefined ? omitted.slice(0, 1) : omitted)
      rows.splice(rows.indexOf(row), 1)
  } else {
    const { symbol, tradingDate, field, value } = fault
    const matching = rows.filter(
      (row) =>
        (symbol === undefined || row.symbol === symbol) &&
        (tradingDate === undefined || row.tradingDate === tradingDate),
    )
    for (const row of symbol === undefined && tradingDate === undefined ? matching.slice(0, 1) : matching) {
      row[field] = value
    }
  }
  return JSON.stringify(body)
}

/** A count is beside the list, or in the `data` of an order book. */
function recount(body: Row | Row[], by: number): void {
  if (Array.isArray(body)) return
  const data = (body.data ?? {}) as Row
  if ('itemsCount' in body) body.itemsCount = Number(body.itemsCount) + by
  if ('totalRecord' in data) data.totalRecord = Number(data.totalRecord) + by
}

/** The rows of a body: the body itself, its `data`, in its `data` the orders or the shares, or the record of each side of an account. */
function rowsOf(body: Row | Row[]): Row[] {
  if (Array.isArray(body)) return body
  if (Array.isArray(body.data)) return body.data as Row[]
  if (isRow(body.equity)) return [body.equity, body.derivative].filter(isRow)
  const { orderList, equity } = (body.data ?? {}) as { orderList?: unknown; equity?: unknown }
  if (Array.isArray(orderList)) return orderList as Row[]
  return Array.isArray(equity) ? (equity as Row[]) : []
}

function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
