import { counted } from 'candlehouse-foundation/number-text'

/** What of an earlier publication was missing or damaged, and was written again. */
export interface Repairs {
  /** Parquet files. */
  readonly files: number
  /** Relations whose Delta log lacked a file, or had a damaged one. */
  readonly logs: readonly string[]
  readonly manifest: boolean
  /** It was missing or damaged, or showed an older publication. */
  readonly catalog: boolean
  readonly duckLake: boolean
  /** Withheld sessions whose published rows were in a lost file: readers see none now. */
  readonly withheld: readonly string[]
}

export const NOTHING_REPAIRED: Repairs = {
  files: 0,
  logs: [],
  manifest: false,
  catalog: false,
  duckLake: false,
  withheld: [],
}

/** One line per kind of repair, for the summary of a run. */
export function repairNotes({ files, logs, manifest, catalog, duckLake, withheld }: Repairs): string[] {
  return [
    ...(files > 0 ? [`restored ${counted(files, 'missing or damaged file')} of the lake`] : []),
    ...(logs.length > 0
      ? [`repaired the Delta log of ${logs.join(', ')}: a part of it was missing or damaged`]
      : []),
    ...(manifest ? ['wrote manifest.json of the lake again: it was missing or damaged'] : []),
    ...(catalog ? ['wrote the catalog again: it was missing, damaged or out of date'] : []),
    ...(duckLake ? ['wrote the DuckLake again: it was missing or damaged'] : []),
    ...(withheld.length > 0
      ? [
          `readers no longer see ${withheld.join(', ')}: the published rows were in a damaged file, and the stored ones are withheld`,
        ]
      : []),
  ]
}
