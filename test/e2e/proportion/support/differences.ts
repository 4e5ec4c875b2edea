export type Row = Readonly<Record<string, unknown>>
/** Rows by relation; each row by its own text. */
export type Published = ReadonlyMap<string, ReadonlyMap<string, Row>>

export interface Difference {
  readonly relation: string
  /** `lost`: the expected home has it, the other has not. `new`: the reverse. */
  readonly kind: 'lost' | 'new'
  readonly row: Row
}

/** Whether a fault may have led to a difference. */
export type Touch = (difference: Difference) => boolean

/** Rows that one home has published and the other has not. */
export function differences(expected: Published, actual: Published): Difference[] {
  return [...expected].flatMap(([relation, rows]) => {
    const others = actual.get(relation) ?? new Map<string, Row>()
    const only = (some: ReadonlyMap<string, Row>, than: ReadonlyMap<string, Row>, kind: Difference['kind']) =>
      [...some].filter(([text]) => !than.has(text)).map(([, row]) => ({ relation, kind, row }))
    return [...only(rows, others, 'lost'), ...only(others, rows, 'new')]
  })
}

/** Differences that a message shows at most. */
const MOST_SHOWN = 12

/** For messages: one line per difference, the first ones of many. */
export function shown(all: readonly Difference[]): string[] {
  const lines = all.map(
    ({ relation, kind, row }) => `${kind} ${relation} ${JSON.stringify(row).slice(0, 300)}`,
  )
  return lines.length <= MOST_SHOWN ? lines : [...lines.slice(0, MOST_SHOWN), `… ${lines.length} in all`]
}
