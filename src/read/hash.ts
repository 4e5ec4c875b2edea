import { relations } from '../relations.js'
import { rowsOf, withCatalog } from './query.js'

/** Tables of the user's own that the catalog has, with their schema. */
export const OWN_TABLES =
  "SELECT DISTINCT relation FROM ops.lake_file WHERE relation LIKE 'mine.%' ORDER BY ALL"

/**
 * An order-independent hash per published relation, and per table of the user's own that has rows: equal hashes mean equal tables. Columns are excluded that differ
 * between two runs with the same responses (request ids, arrival instants, run ids). All hashes are of one publication,
 * also if another one is written meanwhile.
 */
export async function tableHashes(home: string): Promise<Record<string, string>> {
  return await withCatalog(home, async (reader) => {
    const hashes: Record<string, string> = {}
    const ownTables = (await rowsOf(reader, OWN_TABLES)).map(([name]) => ({
      name: String(name),
      volatile: [],
    }))
    for (const relation of [...relations, ...ownTables]) {
      const excluded = relation.volatile.map((name) => `"${name}"`).join(', ')
      const [row] = await rowsOf(
        reader,
        `SELECT count(*), coalesce(bit_xor(hash(compared)), 0)::VARCHAR, coalesce(sum(hash(compared)), 0)::VARCHAR
         FROM (SELECT ${excluded ? `* EXCLUDE (${excluded})` : '*'} FROM ${relation.name}) compared`,
      )
      hashes[relation.name] = (row ?? []).join('-')
    }
    return hashes
  })
}
