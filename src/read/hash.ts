import { relations } from '../relations.js'
import { querySql } from './catalog.js'

/**
 * An order-independent hash per published relation, without the columns that differ between two runs that saw
 * the same answers (request ids, arrival instants, run ids): equal hashes mean equal tables.
 */
export async function tableHashes(home: string): Promise<Record<string, string>> {
  const hashes: Record<string, string> = {}
  for (const relation of relations) {
    const left = relation.volatile.map((name) => `"${name}"`).join(', ')
    const { rows } = await querySql(
      home,
      `SELECT count(*), coalesce(bit_xor(hash(one)), 0)::VARCHAR, coalesce(sum(hash(one)), 0)::VARCHAR
       FROM (SELECT ${left ? `* EXCLUDE (${left})` : '*'} FROM ${relation.name}) one`,
    )
    hashes[relation.name] = (rows[0] ?? []).join('-')
  }
  return hashes
}
