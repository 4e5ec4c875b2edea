import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { sqlFile, sqlFiles } from '../duckdb/sqlfile.js'
import { packageRoot } from '../package.js'

/** A view, macro or reference table of schema `mart`: one file of `sql/mart`. */
export interface MartObject {
  /** Without its schema; also the name of its file. */
  readonly name: string
  readonly kind: 'view' | 'macro' | 'table macro' | 'table'
  /** Below `sql/`. */
  readonly file: string
  readonly text: string
  /** Relations and objects that its text names, schema-qualified, sorted. */
  readonly reads: readonly string[]
}

/** Queries that fill the materialized tables (`materialized.ts`): they create no objects. */
const MATERIALIZED = 'materialized'

let objectsOfMart: readonly MartObject[] | undefined
let objectsOfWriter: readonly MartObject[] | undefined

/** Every object of `sql/mart`, each after those that it reads: DuckDB binds views and macros when it creates them. */
export function martObjects(): readonly MartObject[] {
  objectsOfMart ??= readObjects()
  return objectsOfMart
}

/** Objects that the writer's side reads, with all they rest on: creating all objects costs a new home 0.2 s. */
export function writerObjects(): readonly MartObject[] {
  objectsOfWriter ??= selectForWriter(martObjects())
  return objectsOfWriter
}

function readObjects(): MartObject[] {
  const folder = join(packageRoot, 'sql', 'mart')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.sql') && !path.startsWith(`${MATERIALIZED}/`))
    .sort()
  return inOrder(files.map((path) => describeObject(`mart/${path}`)))
}

/** Statements of the writer's side: its rules, their evidence, and the queries of the materialized tables. */
const WRITERS = [
  'rules',
  'audit',
  'audit/market',
  'audit/bar',
  'audit/account',
  'recon',
  `mart/${MATERIALIZED}`,
]

function selectForWriter(objects: readonly MartObject[]): MartObject[] {
  const needed = new Set(
    WRITERS.flatMap((folder) => sqlFiles(folder).flatMap((name) => readsOf(sqlFile(`${folder}/${name}`)))),
  )
  return withTheirReads(objects, needed)
}

/** Objects by their names, schema-qualified, with all that they rest on, in their order. */
export function objectsBy(names: readonly string[]): MartObject[] {
  return withTheirReads(martObjects(), new Set(names))
}

/** Relations and objects that an object of schema `mart` rests on, schema-qualified; itself included. */
export function restsOn(name: string): ReadonlySet<string> {
  return new Set([name, ...objectsBy([name]).flatMap(({ reads }) => reads)])
}

/**
 * Everything that a view, macro or table of schema `mart` is computed from, through materialized tables too; itself included.
 *
 * @param name schema-qualified
 */
export function computedFrom(name: string): ReadonlySet<string> {
  const names = new Set([name])
  // Names that are added while it is walked are walked too.
  for (const each of names) for (const read of readsOfObject(each)) names.add(read)
  return names
}

function readsOfObject(name: string): readonly string[] {
  if (!name.startsWith('mart.')) return []
  const bare = name.slice('mart.'.length)
  const object = martObjects().find((each) => each.name === bare)
  if (object) return object.reads
  return sqlFiles(`mart/${MATERIALIZED}`).includes(`${bare}.sql`)
    ? readsOf(sqlFile(`mart/${MATERIALIZED}/${bare}.sql`))
    : []
}

function withTheirReads(objects: readonly MartObject[], needed: Set<string>): MartObject[] {
  // From the end: an object comes after those it reads.
  for (const { name, reads } of [...objects].reverse())
    if (needed.has(`mart.${name}`)) for (const read of reads) needed.add(read)
  return objects.filter(({ name }) => needed.has(`mart.${name}`))
}

function describeObject(file: string): MartObject {
  const text = sqlFile(file)
  const [, kind, name] = /^CREATE OR REPLACE (VIEW|MACRO|TABLE) mart\.(\w+)/m.exec(text) ?? []
  if (!kind || !name) throw new RangeError(`sql/${file} creates no object`)
  const isTableMacro = kind === 'MACRO' && /\) AS TABLE\b/.test(text)
  return {
    name,
    kind: isTableMacro ? 'table macro' : (kind.toLowerCase() as 'view' | 'macro' | 'table'),
    file,
    text,
    reads: readsOf(text).filter((read) => read !== `mart.${name}`),
  }
}

/** A text without its COMMENT statements: each of them takes DuckDB a copy of the whole view. */
export function uncommented(text: string): string {
  return text.replaceAll(/^COMMENT ON [^']*(?:'(?:[^']|'')*'\s*)+;/gm, '')
}

/** Schema-qualified names in a statement, without those in comments and COMMENT statements. */
export function readsOf(text: string): string[] {
  const statement = uncommented(text).replaceAll(/--[^\n]*/g, '')
  const names = statement.matchAll(/\b(market|account|ops|recon|mart)\.([a-z_][a-z0-9_]*)/g)
  return [...new Set([...names].map(([, schema, name]) => `${schema}.${name}`))].sort()
}

function inOrder(objects: readonly MartObject[]): MartObject[] {
  const byName = new Map(objects.map((object) => [`mart.${object.name}`, object]))
  const placed = new Set<MartObject>()
  const place = (object: MartObject, readers: readonly MartObject[]): void => {
    if (placed.has(object)) return
    if (readers.includes(object)) throw new RangeError(`sql/${object.file} reads itself`)
    for (const name of object.reads) {
      const read = byName.get(name)
      if (read) place(read, [...readers, object])
    }
    placed.add(object)
  }
  for (const object of objects) place(object, [])
  return [...placed]
}
