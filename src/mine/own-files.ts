import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { reasonOf } from 'candlehouse-foundation/system-fault'
import type { OwnProblem } from './problem.js'

/** What a file of the user's own can be, with its folder below `sql` in the home. */
const FOLDERS = { view: 'views', table: 'tables', rule: 'rules', watch: 'watches' } as const

export type OwnKind = keyof typeof FOLDERS

/** The file of a view, table, rule or watch, below the home. */
export function ownFile(kind: OwnKind, name: string): string {
  return join('sql', FOLDERS[kind], `${name}.sql`)
}

/** A file of the user's own: `sql/views/NAME.sql` and `sql/tables/NAME.sql` are `mine.NAME`. */
export interface OwnFile {
  readonly kind: OwnKind
  readonly name: string
  /** Below the home. */
  readonly file: string
  readonly text: string
  /** Names in schema `mine` that its statement reads, sorted. */
  readonly reads: readonly string[]
}

/** Larger files are no statement that somebody has written. */
const MOST_BYTES = 256_000

/** Names of files; DuckDB takes others within quotes, which nobody wants to type. */
export const OWN_NAME = /^[a-z][a-z0-9_]{0,62}$/

/** The files of the user's own of these kinds, in the order of their names, and what is wrong with those that cannot be read. */
export function readOwnFiles(
  home: string,
  kinds: readonly OwnKind[],
): { files: OwnFile[]; problems: OwnProblem[] } {
  const files: OwnFile[] = []
  const problems: OwnProblem[] = []
  for (const kind of kinds) {
    for (const entry of entriesOf(join(home, 'sql', FOLDERS[kind]))) {
      const read = readOwnFile(home, kind, entry)
      if ('wrong' in read) problems.push(read)
      else files.push(read)
    }
  }
  return { files, problems }
}

/** Whether a home has files of the user's own, readable or not. */
export function hasOwnFiles(home: string): boolean {
  return Object.values(FOLDERS).some((folder) => entriesOf(join(home, 'sql', folder)).length > 0)
}

function entriesOf(folder: string): string[] {
  const entries = existsSync(folder) && statSync(folder).isDirectory() ? readdirSync(folder).sort() : []
  return entries.filter((name) => name.endsWith('.sql') && !name.startsWith('.'))
}

function readOwnFile(home: string, kind: OwnKind, entry: string): OwnFile | OwnProblem {
  const name = entry.slice(0, -'.sql'.length)
  const file = ownFile(kind, name)
  const problem = (wrong: string, next: string): OwnProblem => ({ file, line: undefined, wrong, next })
  if (!OWN_NAME.test(name))
    return problem(
      `${JSON.stringify(name)} cannot be the name of a ${kind}`,
      `name the file with small letters, digits and _, a letter first: ${ownFile(kind, 'my_stocks')}`,
    )
  try {
    const path = join(home, file)
    if (statSync(path).size > MOST_BYTES)
      return problem(`it has more than ${MOST_BYTES} bytes`, 'keep one SELECT in it')
    const text = new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path))
    return { kind, name, file, text, reads: ownReads(text) }
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
