import type { Reader } from '../duckdb/reader.js'
import { literal, sqlFile, sqlTemplate } from '../duckdb/sqlfile.js'
import type { RelationNames } from './alias-columns.js'
import { objectsOf } from './query.js'

/** A word that DuckDB suggests, and the byte of the text at which what it replaces begins. */
export interface Suggestion {
  readonly suggestion: string
  readonly suggestion_start: number
}

/** The relations that statements can name, in order. */
export async function readNames(reader: Reader): Promise<RelationNames[]> {
  return await objectsOf<RelationNames>(reader, sqlFile('console/names.sql'))
}

/** What DuckDB suggests at the end of a text. */
export async function readSuggestions(reader: Reader, text: string): Promise<Suggestion[]> {
  return await objectsOf<Suggestion>(reader, sqlTemplate('console/complete.sql', { text: literal(text) }))
}
