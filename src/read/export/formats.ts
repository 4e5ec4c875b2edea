interface FormatFacts {
  readonly extensions: readonly string[]
  /** DuckDB's COPY, or a writer of ours, which counts rows where COPY reports a percentage. */
  readonly writer: 'copy' | 'own'
  /**
   * `typed`: values keep their types. `json`: exact numbers and instants are text. `text`: all values are text that
   * spreadsheets open, which must not be read as formulas.
   */
  readonly values: 'typed' | 'json' | 'text'
}

export const FORMATS = {
  parquet: { extensions: ['.parquet'], writer: 'copy', values: 'typed' },
  arrow: { extensions: ['.arrow', '.feather'], writer: 'own', values: 'typed' },
  csv: { extensions: ['.csv'], writer: 'copy', values: 'text' },
  ndjson: { extensions: ['.ndjson', '.jsonl'], writer: 'copy', values: 'json' },
  // A workbook's cells have a form of their own for each type: src/read/xlsx/cells.ts.
  xlsx: { extensions: ['.xlsx'], writer: 'own', values: 'typed' },
} as const satisfies Record<string, FormatFacts>

export type Format = keyof typeof FORMATS

/** Those that DuckDB writes. */
export type CopiedFormat = { [F in Format]: (typeof FORMATS)[F]['writer'] extends 'copy' ? F : never }[Format]

export const FORMAT_NAMES = Object.keys(FORMATS) as Format[]

/** File extension → format. */
export const EXTENSIONS: ReadonlyMap<string, Format> = new Map(
  FORMAT_NAMES.flatMap((name) => FORMATS[name].extensions.map((extension) => [extension, name] as const)),
)

export function isCopied(format: Format): format is CopiedFormat {
  return FORMATS[format].writer === 'copy'
}
