import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { reasonOf } from 'candlehouse-foundation/system-fault'
import type { OwnProblem } from './problem.js'

/** Folder of the user's own views, below the home. */
export const VIEWS = join('sql', 'views')

/** The file of a view, below the home. */
export function viewFile(name: string): string {
  return join(VIEWS, `${name}.sql`)
}

/** A file of the user's own: `sql/views/NAME.sql` is `mine.NAME`. */
export interface OwnFile {
  readonly name: string
  /** Below the home. */
  readonly file: string
  readonly text: string
  /** Names in schema `mine` that its statement reads, sorted. */
  readonly reads: readonly string[]
}

/** Larger files are no statement that somebody has written. */
const MOST_BYTES = 256_000

/** Names of views; DuckDB takes others within quotes, which nobody wants to type. */
export const VIEW_NAME = /^[a-z][a-z0-9_]{0,62}$/

/** The files of the user's own views, in the order of their names, and what is wrong with those that cannot be read. */
export function readOwnFiles(home: string): { files: OwnFile[]; problems: OwnProblem[] } {
  const folder = join(home, VIEWS)
  const files: OwnFile[] = []
  const problems: OwnProblem[] = []
  const entries = existsSync(folder) ? readdirSync(folder).sort() : []
  for (const entry of entries.filter((name) => name.endsWith('.sql') && !name.startsWith('.'))) {
    const read = readOwnFile(home, entry)
    if ('wrong' in read) problems.push(read)
    else files.push(read)
  }
  return { files, problems }
}

function readOwnFile(home: string, entry: string): OwnFile | OwnProblem {
  const file = join(VIEWS, entry)
  const problem = (wrong: string, next: string): OwnProblem => ({ file, line: undefined, wrong, next })
  const name = entry.slice(0, -'.sql'.length)
  if (!VIEW_NAME.test(name))
    return problem(
      `${JSON.stringify(name)} cannot be the name of a view`,
      'name the file with small letters, digits and _, a letter first: sql/views/my_stocks.sql',
    )
  try {
    const path = join(home, file)
    if (statSync(path).size > MOST_BYTES)
      return problem(`it has more than ${MOST_BYTES} bytes`, 'keep one SELECT in it')
    const text = new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path))
    return { name, file, text, reads: ownReads(text) }
  } catch (cause) {
    const why = cause instanceof TypeError ? 'it is not UTF-8 text' : reasonOf(cause)
    return problem(`it cannot be read: ${why}`, 'save it again as text in UTF-8')
  }
}

/** Comments and texts within quotes name nothing. */
const NO_CODE = /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'/g

/** Names in schema `mine` that a statement reads, sorted. */
function ownReads(text: string): string[] {
  const names = text.replaceAll(NO_CODE, ' ').matchAll(/(?:\bmine|"mine")\s*\.\s*"?(\w+)/gi)
  return [...new Set([...names].map(([, name = '']) => name.toLowerCase()))].sort()
}
