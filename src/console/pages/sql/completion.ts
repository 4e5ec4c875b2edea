import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  type CompletionSource,
} from '@codemirror/autocomplete'
import { PostgreSQL, schemaCompletionSource, sql } from '@codemirror/lang-sql'
import type { Extension } from '@codemirror/state'
import { TIMEFRAMES } from 'candlehouse-foundation/market/timeframe'
import { columnsBehind, type RelationNames } from '../../../read/alias-columns.js'
import { type Row, view } from '../api.js'
import { completionPlace } from './completion-place.js'

/**
 * The language of the editor: SQL with the catalog's own names, columns behind aliases, symbols within texts, and what DuckDB itself
 * suggests.
 */
export function sqlLanguage(rows: readonly Row[]): Extension {
  const schema: Record<string, string[]> = {}
  for (const { relation, columns } of rows) schema[String(relation)] = columns as string[]
  const names = rows.map(({ relation, columns }) => ({
    relation: String(relation),
    columns: columns as string[],
  }))
  const namesOfCatalog = schemaCompletionSource({ dialect: PostgreSQL, schema })
  return [
    sql({ dialect: PostgreSQL, upperCaseKeywords: false }),
    autocompletion({
      icons: false,
      override: [membersAndTexts(names), elsewhere(namesOfCatalog, names), elsewhere(suggestions, names)],
    }),
  ]
}

/** Columns behind an alias or a relation; within a text, what its column may have. */
function membersAndTexts(names: readonly RelationNames[]): CompletionSource {
  return async ({ state, pos, explicit, aborted }) => {
    const place = completionPlace(state.sliceDoc(0, pos))
    if (place.kind === 'member') {
      const columns = columnsBehind(place.qualifier, state.doc.toString(), names)
      return columns.length === 0
        ? null
        : { from: place.from, options: columns.map(columnOption), validFor: /^\w*$/ }
    }
    if (place.kind !== 'text' || (place.typed === '' && !explicit)) return null
    const options = await valuesOf(place.column)
    return aborted ? null : { from: place.from, options, validFor: /^\w*$/ }
  }
}

/** A source for the places that the first one leaves. */
function elsewhere(source: CompletionSource, names: readonly RelationNames[]): CompletionSource {
  return (context) => {
    const place = completionPlace(context.state.sliceDoc(0, context.pos))
    if (place.kind === 'text' || place.kind === 'comment') return null
    const isMember =
      place.kind === 'member' &&
      columnsBehind(place.qualifier, context.state.doc.toString(), names).length > 0
    return isMember ? null : source(context)
  }
}

function columnOption(label: string): Completion {
  return { label, type: 'property' }
}

/** Asked for once: a list of symbols seldom changes while a page is open. */
let symbols: Promise<Completion[]> | undefined

async function valuesOf(column: string | undefined): Promise<readonly Completion[]> {
  if (column === 'timeframe') return TIMEFRAMES.map((label) => ({ label, type: 'constant' }))
  symbols ??= view('symbols').then((rows) =>
    rows.map(({ symbol, name }) => ({ label: String(symbol), detail: String(name), type: 'constant' })),
  )
  return await symbols.catch(() => {
    symbols = undefined
    return []
  })
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
