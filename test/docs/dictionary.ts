import type { Database } from '../../src/duckdb/open.js'
import { sqlFile } from '../../src/duckdb/sqlfile.js'
import { type MartObject, martObjects, readsOf } from '../../src/mart/objects.js'
import { lakeMarts, relations } from '../../src/relations.js'

/** Schemas in the order of the way of the data, with what each holds. */
const SCHEMAS: Readonly<Record<string, string>> = {
  market: 'The market, as received from the service.',
  account: 'Accounts, one snapshot per run.',
  ops: 'The ledger: runs, pages, coverage and rejected records.',
  recon: 'Results of the rules.',
  mart: "The analysts' views and macros, made from all other schemas.",
}

interface Column {
  relation: string
  name: string
  type: string
  comment: string
}

/** `docs/dictionary.md`: every relation, column and macro of the catalog, with their comments. */
export async function dictionary(catalog: Database): Promise<string> {
  const columns = await catalog.rows<Column>(
    `SELECT schema_name || '.' || table_name AS relation, column_name AS name, data_type AS type, coalesce(comment, '') AS comment
     FROM duckdb_columns() WHERE NOT internal AND database_name = current_database() ORDER BY column_index`,
  )
  const relationComments = await catalog.rows<{ relation: string; comment: string }>(
    `SELECT schema_name || '.' || view_name AS relation, coalesce(comment, '') AS comment FROM duckdb_views() WHERE NOT internal
     UNION ALL SELECT schema_name || '.' || table_name, coalesce(comment, '') FROM duckdb_tables() WHERE NOT internal
     ORDER BY relation`,
  )
  const macros = await catalog.rows<{ name: string; parameters: string; comment: string }>(
    `SELECT function_name AS name, array_to_string(parameters, ', ') AS parameters, coalesce(comment, '') AS comment
     FROM duckdb_functions() WHERE schema_name = 'mart' AND function_name NOT IN ('made_of', 'stored_made_of') ORDER BY function_name`,
  )
  const parts = [
    '# Data dictionary',
    '',
    'Every relation, column and macro of `catalog.duckdb`. Written by `make docs` from the comments in the catalog',
    '(`select * from duckdb_columns()`): change them in `sql/`, those of fields of the API in their tables',
    '(`packages/foundation/src/fields`). What reads what: [lineage.md](lineage.md).',
    '',
    'Prices are VND, or index points for futures; money is VND; percentages of the service are percent (`_percentage`)',
    'and fractions where candlehouse computes them. Instants are TIMESTAMPTZ; a trading date is a day in Vietnam (UTC+7).',
    '',
    ...Object.keys(SCHEMAS).map((schema) => `- [${schema}](#schema-${schema})`),
    '- [macros](#macros)',
  ]
  for (const [schema, subject] of Object.entries(SCHEMAS)) {
    parts.push('', `## Schema ${schema}`, '', subject)
    for (const { relation, comment } of relationComments.filter((each) =>
      each.relation.startsWith(`${schema}.`),
    )) {
      const relationColumns = columns.filter((column) => column.relation === relation)
      parts.push('', `### ${relation}`, '', cellText(comment), ...origin(relation), '')
      parts.push(...table(relationColumns))
    }
  }
  parts.push(
    '',
    '## Macros',
    '',
    '`FROM mart.name(…)` for those that give rows, `mart.name(…)` in an expression for the others.',
    '',
  )
  const kinds = new Map(martObjects().map((object) => [object.name, object]))
  parts.push('| macro | gives |', '| --- | --- |')
  for (const { name, parameters, comment } of macros) {
    const rows = kinds.get(name)?.kind === 'table macro' ? 'FROM ' : ''
    parts.push(`| \`${rows}mart.${name}(${parameters})\` | ${cellText(comment)} |`)
  }
  return `${parts.join('\n')}\n`
}

/** Which file makes an object of schema `mart`, and what it reads. */
function origin(relation: string): string[] {
  const [schema, name = ''] = relation.split('.')
  if (schema !== 'mart') return []
  const object = martObjects().find(
    (each) => `mart.${each.name}` === relation && each.kind !== 'macro' && each.kind !== 'table macro',
  )
  const file = object?.file ?? `mart/materialized/${name}.sql`
  const reads = object?.reads ?? readsOf(sqlFile(file))
  const from = reads.length > 0 ? `, from ${reads.map((each) => `\`${each}\``).join(', ')}` : ''
  const kept = relations.some((each) => each.name === relation) ? ' Materialized.' : ''
  return ['', `[sql/${file}](../sql/${file})${from}.${kept}${tableOf(relation)}`]
}

/** What the lake has of a view, for other engines. */
function tableOf(relation: string): string {
  const mart = lakeMarts.find(({ name }) => name === relation)
  if (!mart) return ''
  const columns = mart.omitted.map((name) => `\`${name}\``).join(', ')
  const without = columns === '' ? '' : `, without ${columns}`
  const when = mart.isDefault ? '' : ' where `CANDLEHOUSE_LAKE_MARTS` names it'
  return ` A table of the lake too${when}: \`lake/${relation.replace('.', '/')}\`${without}.`
}

function table(columns: readonly Column[]): string[] {
  return [
    '| column | type | meaning |',
    '| --- | --- | --- |',
    ...columns.map(({ name, type, comment }) => `| \`${name}\` | ${type} | ${cellText(comment)} |`),
  ]
}

function cellText(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;')
}

/** Objects of schema `mart` and the tables kept of them, with what they read. */
export function madeObjects(): Pick<MartObject, 'name' | 'file' | 'reads' | 'kind'>[] {
  const kept = relations.flatMap(({ name }) => {
    if (!name.startsWith('mart.')) return []
    const file = `mart/materialized/${name.slice('mart.'.length)}.sql`
    return [{ name: name.slice('mart.'.length), file, reads: readsOf(sqlFile(file)), kind: 'table' as const }]
  })
  return [...martObjects(), ...kept]
}
