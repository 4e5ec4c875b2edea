import { autocompletion, type CompletionContext, type CompletionResult } from '@codemirror/autocomplete'
import { PostgreSQL, schemaCompletionSource, sql } from '@codemirror/lang-sql'
import type { Extension } from '@codemirror/state'
import { type Row, view } from '../api.js'

/** The language of the editor: SQL with the catalog's own names, and what DuckDB itself suggests. */
export function sqlLanguage(names: readonly Row[]): Extension {
  const schema: Record<string, string[]> = {}
  for (const { relation, columns } of names) schema[String(relation)] = columns as string[]
  const namesOfCatalog = schemaCompletionSource({ dialect: PostgreSQL, schema })
  return [
    sql({ dialect: PostgreSQL, upperCaseKeywords: false }),
    autocompletion({ override: [namesOfCatalog, suggestions] }),
  ]
}

/** DuckDB's own completion, which knows its functions and keywords. */
async function suggestions(context: CompletionContext): Promise<CompletionResult | null> {
  const word = context.matchBefore(/\w+$/)
  if (!word && !context.explicit) return null
  const text = context.state.sliceDoc(0, context.pos)
  const rows = await view('complete', { text }).catch(() => [])
  const [first] = rows
  if (!first || context.aborted) return null
  // The start is counted in bytes; names of this catalog are ASCII, other text may come before them.
  const start = new TextDecoder().decode(
    new TextEncoder().encode(text).slice(0, Number(first.suggestion_start)),
  ).length
  const labels = new Set(rows.map(({ suggestion }) => String(suggestion).trim()))
  return { from: start, options: [...labels].map((label) => ({ label, boost: -10 })), validFor: /^\w*$/ }
}
