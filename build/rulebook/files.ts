import { type ReferenceRow, readReference } from 'candlehouse-foundation/market/reference'
import { z } from 'zod'
import { packageVersion } from '../../src/package.js'
import { type Rulebook, rulebookSchema } from './schema.js'

const ROWS = ['valid_from', 'valid_to', 'source', 'certainty']

/**
 * The rulebook for other programs, from `data/reference`: `make docs` writes it.
 *
 * @returns text by path below `packages/rulebook`
 * @throws ZodError where the tables do not agree with the schema
 */
export function rulebookFiles(): Map<string, string> {
  const { $schema, version, ...tables } = rulebookSchema.parse({
    $schema: './rulebook.schema.json',
    version: packageVersion,
    rules: rowsOf('market_rules', ['rule', 'scope', 'value', 'unit', ...ROWS]),
    ticks: rowsOf('ticks', ['board', 'kind', 'price_from', 'tick', ...ROWS]),
    phases: rowsOf('sessions', ['board', 'phase', 'starts', 'ends', ...ROWS]),
    closed_days: rowsOf('calendar', ['day', 'closed_for', 'source', 'certainty']),
  } satisfies Record<keyof Rulebook, unknown>)
  // One row per line: a changed rule is one line of a diff.
  const lines = Object.entries(tables).map(
    ([name, rows]) => `  "${name}": [\n${rows.map((row) => `    ${JSON.stringify(row)}`).join(',\n')}\n  ]`,
  )
  const head = [`  "$schema": ${JSON.stringify($schema)}`, `  "version": ${JSON.stringify(version)}`]
  return new Map([
    ['rulebook.json', `{\n${[...head, ...lines].join(',\n')}\n}\n`],
    ['rulebook.schema.json', `${JSON.stringify(z.toJSONSchema(rulebookSchema), null, 2)}\n`],
  ])
}

const NUMBERS: readonly string[] = ['price_from', 'tick']
const NULLABLE: readonly string[] = ['valid_to', 'unit']

function rowsOf(table: string, columns: readonly string[]): Record<string, string | number | null>[] {
  return readReference(table, columns).map((row) =>
    Object.fromEntries(columns.map((column) => [column, cellValue(row, column)])),
  )
}

function cellValue(row: ReferenceRow, column: string): string | number | null {
  const text = row[column] ?? ''
  if (text === '' && NULLABLE.includes(column)) return null
  return NUMBERS.includes(column) ? Number(text) : text
}
