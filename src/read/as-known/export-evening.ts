import type { ReaderOptions } from '../../duckdb/locked.js'
import type { Reader } from '../../duckdb/reader.js'
import type { Effects } from '../../effects.js'
import { removeWork } from '../export/placed.js'
import { withCatalog } from '../query.js'
import { withCatalogAsKnown } from './known-catalog.js'
import { requireReceiptFile, writeReceipt } from './receipt.js'

/** What an export reads, and where it writes. */
interface EveningExport {
  readonly statements: readonly string[]
  /** ISO, with a zone; undefined: what is known now. */
  readonly asKnownOn: string | undefined
  /** Absolute; with `asKnownOn`: the file that says what the export could see, and what it could not. */
  readonly receipt: string | undefined
  readonly out: string
  /** Beside `out`; it goes with the export, however it ends. */
  readonly work: string
}

/**
 * Exports from the catalog of now, or as it was known on an evening, whose receipt is then written.
 *
 * @param note gets what a reader of the export must know
 * @throws UsageError for a receipt that cannot be written, and for a statement that reads a relation without history
 */
export async function exportEvening<T>(
  home: string,
  { statements, asKnownOn, receipt, out, work }: EveningExport,
  write: (reader: Reader) => Promise<T>,
  note: (words: string) => void,
  options: ReaderOptions,
  effects: Effects,
): Promise<T> {
  requireReceiptFile(receipt, out)
  try {
    if (asKnownOn === undefined) return await withCatalog(home, write, options)
    return await withCatalogAsKnown(
      home,
      statements,
      asKnownOn,
      async (catalog) => {
        const exported = await write(catalog.reader)
        const asked = { sql: statements.join(';\n'), instant: asKnownOn }
        const warnings = receipt
          ? (await writeReceipt(catalog, receipt, asked, effects)).warnings
          : catalog.notes
        for (const warning of warnings) note(warning)
        return exported
      },
      options,
      effects,
    )
  } finally {
    await removeWork(work)
  }
}
