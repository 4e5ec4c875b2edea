/** Python that runs the statement on the published catalog: for a notebook. */
export function pythonOf(sql: string, home: string): string {
  return [
    'import duckdb',
    '',
    `with duckdb.connect(${JSON.stringify(`${home}/catalog.duckdb`)}, read_only=True) as catalog:`,
    `    frame = catalog.sql(${pythonText(sql)}).df()`,
    'frame',
  ].join('\n')
}

/** JSON's escapes are Python's too. */
function pythonText(text: string): string {
  const isPlain = !text.includes('"""') && !text.includes('\\') && !text.endsWith('"')
  return isPlain ? `"""${text}"""` : JSON.stringify(text)
}
