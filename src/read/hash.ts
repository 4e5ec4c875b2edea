import { relations } from '../relations.js'
import { openCatalog, rowsOf } from './catalog.js'

/**
 * An order-independent hash per published relation, without the columns that differ between two runs that saw
 * the same answers (request ids, arrival instants, run ids): equal hashes mean equal tables. All of one publication,
 * whatever is published meanwhile.
 */
export async function tableHashes(home: string): Promise<Record<string, string>> {
  const hashes: Record<string, string> = {}
  const reader = await openCatalog(home)
  try {
    for (const relation of relations) {
      const left = relation.volatile.map((name) => `"${name}"`).join(', ')
      const [row] = await rowsOf(
        reader,
        `SELECT count(*), coalesce(bit_xor(hash(one)), 0)::VARCHAR, coalesce(sum(hash(one)), 0)::VARCHAR
         FROM (SELECT ${left ? `* EXCLUDE (${left})` : '*'} FROM ${relation.name}) one`,
      )
      hashes[relation.name] = (row ?? []).join('-')
    }
  } finally {
    reader.close()
  }
  return hashes
}
