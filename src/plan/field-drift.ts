/** How the fields of a dataset's latest answers differ from the specification. */
export interface FieldDrift {
  readonly dataset: string
  /** Fields that came and that the specification does not have. */
  readonly unknown: readonly string[]
  /** Fields of the specification that no record of a page had. */
  readonly absent: readonly string[]
}

/** One row of `sql/warehouse/drifted_fields.sql`. */
export interface DriftedField {
  readonly dataset: string
  readonly run_id: string
  readonly kind: 'unknown' | 'absent'
  readonly field: string
}

/** Drift by dataset. */
export function driftByDataset(rows: readonly DriftedField[]): FieldDrift[] {
  const fieldsOf = (dataset: string, kind: DriftedField['kind']): string[] =>
    rows.filter((row) => row.dataset === dataset && row.kind === kind).map(({ field }) => field)
  return [...new Set(rows.map(({ dataset }) => dataset))].map((dataset) => ({
    dataset,
    unknown: fieldsOf(dataset, 'unknown'),
    absent: fieldsOf(dataset, 'absent'),
  }))
}

/** Fields in one line: `securitiesSummary: unknown fields total_match_x; without the fields totalMatch`. */
export function driftLine({ dataset, unknown, absent }: FieldDrift): string {
  return `${dataset}: ${[
    ...(unknown.length > 0 ? [`unknown ${named(unknown)}`] : []),
    ...(absent.length > 0 ? [`without the ${named(absent)}`] : []),
  ].join('; ')}`
}

/** Names in a line, at most. */
const SHOWN_FIELDS = 8

function named(fields: readonly string[]): string {
  const more = fields.length - SHOWN_FIELDS
  const shown = fields.slice(0, SHOWN_FIELDS).join(', ')
  return `field${fields.length === 1 ? '' : 's'} ${shown}${more > 0 ? ` and ${more} more` : ''}`
}
