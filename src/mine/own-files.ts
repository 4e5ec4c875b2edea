import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { UsageError } from 'candlehouse-foundation/errors'
import { reasonOf } from 'candlehouse-foundation/system-fault'
import type { OwnProblem } from './problem.js'

interface KindOfFile {
  /** Below `sql` in the home. */
  readonly folder: string
  readonly ending: string
  /** A name for an example. */
  readonly example: string
  /** Larger files are nothing that somebody has written. */
  readonly mostBytes: number
  /** What to do with a larger one. */
  readonly instead: string
}

const STATEMENT = {
  ending: '.sql',
  example: 'my_stocks',
  mostBytes: 256_000,
  instead: 'keep one SELECT in it',
}

/** What a file of the user's own can be. */
const FILES = {
  view: { folder: 'views', ...STATEMENT },
  table: { folder: 'tables', ...STATEMENT },
  rule: { folder: 'rules', ...STATEMENT },
  watch: { folder: 'watches', ...STATEMENT },
  page: {
    folder: 'pages',
    ending: '.md',
    example: 'my_page',
    mostBytes: 64_000,
    instead: 'make two pages of it',
  },
} satisfies Record<string, KindOfFile>

export type FileKind = keyof typeof FILES

/** What is one statement. */
export type OwnKind = Exclude<FileKind, 'page'>

const STATEMENT_KINDS: readonly OwnKind[] = ['view', 'table', 'rule', 'watch']

/** A file of the user's own, below the home. */
export function ownFile(kind: FileKind, name: string): string {
  const { folder, ending } = FILES[kind]
  return join('sql', folder, `${name}${ending}`)
}

/** @throws UsageError for a name that no file of the user's own can have */
export function requireOwnName(kind: FileKind, name: string): void {
  if (OWN_NAME.test(name)) return
  throw new UsageError(`${JSON.stringify(name)} cannot be the name of a ${kind}`, {
    hint: `use small letters, digits and _, a letter first: candlehouse mine new ${kind} ${FILES[kind].example}`,
  })
}

/** A file of the user's own: `sql/views/NAME.sql` and `sql/tables/NAME.sql` are `mine.NAME`. */
export interface OwnFile<Kind extends FileKind = OwnKind> {
  readonly kind: Kind
  readonly name: string
  /** Below the home. */
  readonly file: string
  readonly text: string
  /** Names in schema `mine` that its statement reads, sorted. */
  readonly reads: readonly string[]
}

/** Names of files; DuckDB takes others within quotes, which nobody wants to type. */
const OWN_NAME = /^[a-z][a-z0-9_]{0,62}$/

/** The files of the user's own of these kinds, in the order of their names, and what is wrong with those that cannot be read. */
export function readOwnFiles<Kind extends FileKind>(
  home: string,
  kinds: readonly Kind[],
): { files: OwnFile<Kind>[]; problems: OwnProblem[] } {
  const files: OwnFile<Kind>[] = []
  const problems: OwnProblem[] = []
  for (const kind of kinds) {
    for (const name of namesOf(home, kind)) {
      const read = readOwnFile(home, kind, name)
      if ('wrong' in read) problems.push(read)
      else files.push(read)
    }
  }
  return { files, problems }
}

/** Whether a home has statements of the user's own, readable or not. */
export function hasOwnFiles(home: string): boolean {
  return STATEMENT_KINDS.some((kind) => namesOf(home, kind).length > 0)
}

/** Names of the files of a kind, sorted. */
function namesOf(home: string, kind: FileKind): string[] {
  const { folder, ending } = FILES[kind]
  const path = join(home, 'sql', folder)
  const entries = existsSync(path) && statSync(path).isDirectory() ? readdirSync(path).sort() : []
  return entries
    .filter((entry) => entry.endsWith(ending) && !entry.startsWith('.'))
    .map((entry) => entry.slice(0, -ending.length))
}

function readOwnFile<Kind extends FileKind>(
  home: string,
  kind: Kind,
  name: string,
): OwnFile<Kind> | OwnProblem {
  const { example, mostBytes, instead } = FILES[kind]
  const file = ownFile(kind, name)
  const problem = (wrong: string, next: string): OwnProblem => ({ file, line: undefined, wrong, next })
  if (!OWN_NAME.test(name))
    return problem(
      `${JSON.stringify(name)} cannot be the name of a ${kind}`,
      `name the file with small letters, digits and _, a letter first: ${ownFile(kind, example)}`,
    )
  try {
    const path = join(home, file)
    const stats = statSync(path)
    // A pipe gives nothing until somebody writes to it, and a device may have no end: the run would wait.
    if (!stats.isFile() && !stats.isDirectory())
      return problem('it is a pipe, a socket or a device', 'put a file of text in its place')
    if (stats.size > mostBytes) return problem(`it has more than ${mostBytes} bytes`, instead)
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
