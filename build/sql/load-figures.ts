import { type FieldColumn, fieldColumns } from 'candlehouse-foundation/fields/field'
import { grainOf, type LoadFile, parsed, unread, WRITTEN } from './load.js'
import { filled, WIDTH } from './text.js'

/**
 * Types records with dozens of figures into `typed_record`: one expression reads them all by their names
 * (`sql/parse/values_by_name.sql`).
 *
 * @param figures fields that it reads so
 */
export function loadFiguresSql(file: LoadFile, figures: readonly FieldColumn[]): string {
  const { record, table, source } = file
  const columns = fieldColumns(table)
  const asked = columns.find(({ field }) => field.isAsked)
  if (!asked) throw new RangeError(`${record}: no field names the account that is asked for`)
  const others = columns.filter((column) => !figures.some(({ name }) => name === column.name))
  const ratios = figures.filter(({ field }) => field.type === 'ratio')
  const quoted = (fields: readonly FieldColumn[]): string[] => fields.map(({ name }) => `'${name}'`)
  const selected = columns.map(({ name, column, field }) => {
    if (others.some((other) => other.name === name)) return column
    return `${field.type === 'ratio' ? 'ratios' : 'money'}['${name}'] AS ${column}`
  })
  return [
    ...grainOf(file),
    `-- reads: ${source}`,
    '-- writes: typed_record',
    WRITTEN,
    'CREATE OR REPLACE TEMP TABLE typed_record AS',
    'WITH named AS (',
    '  SELECT',
    '    request_id, ordinal, received_at, account_no AS asked_account, r,',
    ...others.map((column) => `    ${parsed(column, textOf)} AS ${column.column},`),
    '    [',
    ...filled(quoted(figures), '      '),
    '    ] AS names',
    `  FROM ${source}`,
    '), figure AS (',
    ...(ratios.length > 0
      ? ['  SELECT *,', '    money_of(r, names) AS money,', ...ratiosOf(quoted(ratios)), '  FROM named']
      : ['  SELECT *, money_of(r, names) AS money FROM named']),
    ')',
    'SELECT',
    ...filled(['request_id', 'ordinal', 'received_at', ...selected], '  ', ','),
    "  nullif(concat_ws('; ',",
    `    missing('${asked.name}', ${asked.column}),`,
    `    not_asked('${asked.name}', ${textOf(asked.name)}, asked_account),`,
    ...others.flatMap((column) => unread(column, textOf)).map((check) => `${check},`),
    `    ${ratios.length > 0 ? 'unread_figures(r, names, money, ratios)' : 'unread_money(r, names, money)'}`,
    "  ), '') AS reason",
    'FROM figure;',
    '',
  ].join('\n')
}

function textOf(name: string): string {
  return `r['${name}']`
}

function ratiosOf(names: readonly string[]): string[] {
  const line = `    ratios_of(r, [${names.join(', ')}]) AS ratios`
  return line.length <= WIDTH
    ? [line]
    : ['    ratios_of(r, [', ...filled(names, '      '), '    ]) AS ratios']
}
