import { relations } from '../relations.js'
import { OWN_TABLES } from './hash.js'
import { rowsOf, withCatalog } from './query.js'

/** What reading every column of every relation showed. */
export interface DeepRead {
  relations: number
  columns: number
  rows: number
  failures: { relation: string; reason: string }[]
}

/**
 * Reads every value of every published relation, and binds every view of schema `mart`: what is damaged shows here, not in
 * an analyst's statement months later.
 */
export async function readEverything(
  home: string,
  onRelation: (name: string) => void,
  signal: AbortSignal,
): Promise<DeepRead> {
  const read: DeepRead = { relations: 0, columns: 0, rows: 0, failures: [] }
  await withCatalog(home, async (reader) => {
    const views = await rowsOf(
      reader,
      "SELECT schema_name || '.' || view_name, column_count FROM duckdb_views() WHERE NOT internal ORDER BY ALL",
    )
    const ownTables = (await rowsOf(reader, OWN_TABLES)).map(([name]) => String(name))
    const stored = new Set([...relations.map(({ name }) => name), ...ownTables])
    for (const [view, columns] of views) {
      signal.throwIfAborted()
      const name = String(view)
      try {
        if (stored.has(name)) {
          const [[count] = []] = await rowsOf(
            reader,
            `SELECT count(*), bit_xor(hash(relation)) FROM ${name} relation`,
          )
          read.rows += Number(count)
        } else await reader.describe(`SELECT * FROM ${name}`)
      } catch (error) {
        read.failures.push({ relation: name, reason: (error as Error).message.split('\n')[0] ?? '' })
      }
      read.relations += 1
      read.columns += Number(columns)
      onRelation(name)
    }
  })
  return read
}
