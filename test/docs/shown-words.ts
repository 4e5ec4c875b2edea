import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { createProgram } from '../../src/cli/program.js'
import type { Database } from '../../src/duckdb/open.js'
import { packageRoot } from '../../src/package.js'
import { fakeEffects } from '../support/effects.js'
import { watchedTerminal } from '../support/program.js'
import { filesIn, SOURCE_FOLDERS } from '../support/sources.js'
import { readText } from './files.js'

/** A name or a text that a reader of the code or of its results sees, and where it is. */
export interface ShownWords {
  readonly place: string
  readonly text: string
}

/** Folders and files, each by its own name. */
export function pathNames(): ShownWords[] {
  return [...SOURCE_FOLDERS, 'sql', 'test'].flatMap((folder) =>
    readdirSync(join(packageRoot, folder), { recursive: true, withFileTypes: true })
      .map(({ name, parentPath }) => ({ place: join(parentPath, name).slice(packageRoot.length + 1), name }))
      .filter(({ place }) => !/node_modules|__pycache__|\/\./.test(place))
      .map(({ place, name }) => ({ place, text: name.replace(/\..*$/, '') })),
  )
}

/** A column of the catalog. */
export interface PublishedColumn {
  readonly relation: string
  readonly name: string
  readonly type: string
  readonly comment: string
}

export async function publishedColumns(catalog: Database): Promise<PublishedColumn[]> {
  return await catalog.rows<{ relation: string; name: string; type: string; comment: string }>(
    `SELECT schema_name || '.' || table_name AS relation, column_name AS name, data_type AS type, coalesce(comment, '') AS comment
     FROM duckdb_columns() WHERE NOT internal AND database_name = current_database() ORDER BY relation, column_index`,
  )
}

/** How the report, the console and the tables of verbs write what stands above something. */
const HEADINGS = [
  /<(?:h[1-4]|summary|th|caption)\b[^>]*>\s*([^<>{}$]*[A-Za-z][^<>{}$]*)/g,
  /\b(?:section|figure|folded)\(\s*(?:'[^']*',\s*)?['`]([^'`]+)['`]/g,
  /\bTITLE = '([^']+)'/g,
  /\b(?:title|heading): '([^']+)'/g,
  /\btitle="([^"]+)"/g,
]

/** Calls whose arguments are the headings of a table's columns. */
const LISTS = /\b(?:columns\(|columns = \[|numbers = \[)([^)\]]*)[)\]]/g

/** Headings of the report, of the console and of what verbs print. */
export function headings(): ShownWords[] {
  const files = ['src/report', 'src/console', 'src/cli'].flatMap((folder) => filesIn([folder], ''))
  return files
    .filter((path) => /\.tsx?$/.test(path))
    .flatMap((path) => {
      const text = readText(path)
      const single = HEADINGS.flatMap((heading) => [...text.matchAll(heading)].map(([, shown = '']) => shown))
      const listed = [...text.matchAll(LISTS)].flatMap(([, list = '']) =>
        [...list.matchAll(/'([^']+)'/g)].map(([, shown = '']) => shown),
      )
      return [...single, ...listed].map((shown) => ({ place: path, text: shown }))
    })
}

/** The help of every verb. */
export async function helpTexts(): Promise<ShownWords[]> {
  const { terminal } = watchedTerminal()
  const edge = { terminal, environment: {}, endWith: () => undefined } as never
  const every = (command: Command): Command[] => [
    command,
    ...command.commands.flatMap((child) => every(child as Command)),
  ]
  return every(await createProgram(edge, fakeEffects(), undefined)).map((command) => ({
    place: `candlehouse ${command.name()} --help`,
    // Help is set in columns: a phrase may go on in the next line.
    text: command.helpInformation().replace(/\n {12,}/g, ' '),
  }))
}
