import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { packageRoot } from '../../src/package.js'

/** A statement's words outside of comments and strings, in order. */
export function wordsOf(text: string): string[] {
  return codeOf(text).match(/[A-Za-z_$][\w$]*/g) ?? []
}

/** The statement without comments, strings and quoted names. */
export function codeOf(text: string): string {
  return text.replaceAll(/--[^\n]*|'(?:[^']|'')*'|"[^"]*"/g, (part) => (part.startsWith('--') ? '' : "''"))
}

/** Names of the common table expressions, windows and tables that a statement defines. */
export function namesIn(text: string): string[] {
  const code = codeOf(text)
  const expressions = code.matchAll(/\b([a-z_]\w*)(?:\([^()]*\))? AS (?:NOT MATERIALIZED |MATERIALIZED )?\(/g)
  const tables = code.matchAll(/\bTEMP (?:TABLE|MACRO) ([a-z_]\w*)/g)
  const joined = code.matchAll(
    /\b(?:FROM|JOIN) [a-z_.]+(?:\([^()]*\))? ([a-z_]\w*) (?:ON|USING|WHERE|JOIN)\b/g,
  )
  return [...expressions, ...tables, ...joined].map(([, name]) => name ?? '')
}

/** The comment of each column that a file comments itself, as `name: comment`. */
export function columnComments(text: string): string[] {
  const statements = text.matchAll(/^COMMENT ON COLUMN [a-z_]+\.\w+\.(\w+) IS\s+((?:'(?:[^']|'')*'\s*)+);$/gm)
  return [...statements].map(([, name, literals = '']) => {
    const parts = [...literals.matchAll(/'((?:[^']|'')*)'/g)].map(([, part]) => part)
    return `${name}: ${parts.join('').replaceAll("''", "'")}`
  })
}

/** Statements of a TypeScript file that are longer than some lines, as `path:line`. */
export function longStatements(
  path: string,
  most: number,
  text = readFileSync(join(packageRoot, path), 'utf8'),
): string[] {
  // Parsing all files takes seconds.
  if (!STATEMENT.test(text)) return []
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.ES2023, true)
  const long: string[] = []
  const read = (node: ts.Node): void => {
    if (ts.isTemplateLiteral(node)) {
      const lines = node.getText(source).split('\n').length
      if (lines > most && STATEMENT.test(node.getText(source)))
        long.push(`${path}:${source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1}`)
    }
    ts.forEachChild(node, read)
  }
  read(source)
  return long
}

const STATEMENT =
  /\b(?:SELECT\s|INSERT INTO\s|UPDATE\s+\S+\s+SET\s|DELETE FROM\s|CREATE (?:OR REPLACE|TEMP|TABLE|VIEW|MACRO)\s?|COPY\s)/
