import { relations } from '../relations.js'
import { rowsOf, withCatalog } from './query.js'

/**
 * An order-independent hash per published relation: equal hashes mean equal tables. Columns are excluded that differ
 * between two runs with the same responses (request ids, arrival instants, run ids). All hashes are of one publication,
 * also if another one is written meanwhile.
 */
export async function tableHashes(home: string): Promise<Record<string, string>> {
  return await withCatalog(home, async (reader) => {
    const hashes: Record<string, string> = {}
    for (const relation of relations) {
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
