import { sqlFile } from '../duckdb/sqlfile.js'
import type { Ask } from '../read/query.js'

export interface IndexedColumn {
  readonly name: string
  readonly type: string
  readonly comment: string
}

export interface IndexedRelation {
  readonly name: string
  readonly comment: string
  readonly columns: readonly IndexedColumn[]
}

/** A macro of schema `mart`. */
export interface IndexedMacro {
  readonly name: string
  readonly parameters: readonly string[]
  readonly comment: string
}

/** What statements can name, with the comments of the catalog. */
export interface CatalogIndex {
  readonly relations: readonly IndexedRelation[]
  readonly macros: readonly IndexedMacro[]
}

export async function readCatalogIndex(ask: Ask): Promise<CatalogIndex> {
  const comments = await ask<{ relation: string; comment: string | null }>(sqlFile('console/relations.sql'))
  const columns = await ask<IndexedColumn & { relation: string }>(sqlFile('console/dictionary.sql'))
  const macros = await ask<{ name: string; parameters: string[]; comment: string }>(
    `SELECT DISTINCT schema_name || '.' || function_name AS name, parameters, coalesce(comment, '') AS comment
     FROM duckdb_functions() WHERE schema_name = 'mart' AND comment IS NOT NULL ORDER BY name`,
  )
  const byRelation = new Map<string, IndexedColumn[]>()
  for (const { relation, name, type, comment } of columns) {
    const known = byRelation.get(relation)
    if (known) known.push({ name, type, comment })
    else byRelation.set(relation, [{ name, type, comment }])
  }
  return {
    relations: comments.map(({ relation: name, comment }) => ({
      name,
      comment: comment ?? '',
      columns: byRelation.get(name) ?? [],
    })),
    macros,
  }
}
