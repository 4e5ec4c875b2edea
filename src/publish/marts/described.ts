import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Database, openDatabase } from '../../duckdb/open.js'
import { identifier, literal, sqlFile, sqlFiles } from '../../duckdb/sqlfile.js'
import { sha256 } from '../../home/sha256.js'
import type { Manifest } from '../../lake/manifest.js'
import { hashOf, installObjects } from '../../mart/install.js'
import { objectsBy, restsOn } from '../../mart/objects.js'
import { packageRoot } from '../../package.js'
import { type LakeMart, lakeMarts } from '../../relations.js'
import { type DescribedRelation, describe, describedRelations } from '../lake-tables.js'

/** The views of `CANDLEHOUSE_LAKE_MARTS` by their names, without the schema. */
export function martsNamed(names: readonly string[]): LakeMart[] {
  return lakeMarts.filter(({ name }) => names.includes(name.slice('mart.'.length)))
}

/**
 * SHA-256 of what the rows and the files of a table are made from: the view with all that it rests on, and the statements
 * that decide which rows are in which file.
 */
export function definitionOf(mart: LakeMart): string {
  const known = hashes.get(mart)
  if (known !== undefined) return known
  const { name, layout, omitted, sort } = mart
  const definition = JSON.stringify([hashOf(objectsBy([name])), layout, omitted, sort])
  const hash = sha256(
    definition,
    ...sqlFiles('publish/marts').map((file) => sqlFile(`publish/marts/${file}`)),
  )
  hashes.set(mart, hash)
  return hash
}

/** Files of the package do not change while it runs, and a publication asks five times per table. */
const hashes = new WeakMap<LakeMart, string>()

/** Definitions of the tables as they were last written, by name. */
export async function writtenDefinitions(warehouse: Database): Promise<Record<string, string>> {
  const [stored] = await warehouse.column<string>('SELECT mart.lake_made_of()').catch(() => [])
  return stored ? (JSON.parse(stored) as Record<string, string>) : {}
}

/** Records what the tables are made from now, where it differs from what is recorded. */
export async function recordDefinitions(
  warehouse: Database,
  marts: readonly LakeMart[],
  written: Readonly<Record<string, string>>,
): Promise<void> {
  const definitions = JSON.stringify(Object.fromEntries(marts.map((mart) => [mart.name, definitionOf(mart)])))
  if (definitions === JSON.stringify(written)) return
  const text = literal(definitions)
  await warehouse.run(`CREATE OR REPLACE MACRO mart.lake_made_of() AS ${text}`)
}

/** Comments and columns of all views that can be tables, written by the build (`build/template.ts`). */
export const BUILT_MARTS = join(packageRoot, 'dist', 'marts.json')

type Words = Pick<DescribedRelation, 'comment' | 'columns'>

/**
 * Comments and columns of the tables, as their views have them. Views are created to find out, which takes 0.1 CPU-s, except where
 * the manifest or the build has a table of the same definition.
 *
 * @param relations every relation of the warehouse
 */
export async function describeMarts(
  marts: readonly LakeMart[],
  relations: readonly DescribedRelation[],
  { written, former }: { written: Readonly<Record<string, string>>; former: Manifest | undefined },
): Promise<DescribedRelation[]> {
  const known = new Map<string, Words>(
    former?.relations
      .filter(({ name }) => marts.some((mart) => mart.name === name && written[name] === definitionOf(mart)))
      .map(({ name, comment, columns }) => [name, { comment, columns }]),
  )
  const unpublished = marts.filter(({ name }) => !known.has(name))
  const built = unpublished.length > 0 ? builtMarts() : {}
  for (const mart of unpublished) {
    const words = built[shapeOf(mart, relations)]
    if (words) known.set(mart.name, words)
  }
  const unknown = unpublished.filter(({ name }) => !known.has(name))
  for (const described of await describeViews(unknown, relations))
    known.set(described.relation.name, described)
  return marts.map((relation) => ({
    relation,
    ...(known.get(relation.name) ?? { comment: '', columns: [] }),
  }))
}

/** Comments and columns of every view that can be a table, by what they follow from: the content of `BUILT_MARTS`. */
export async function wordsOfMarts(relations: readonly DescribedRelation[]): Promise<Record<string, Words>> {
  const described = await describeViews(lakeMarts, relations)
  return Object.fromEntries(
    described.map(({ relation, comment, columns }) => [shapeOf(relation, relations), { comment, columns }]),
  )
}

function builtMarts(): Readonly<Record<string, Words>> {
  return existsSync(BUILT_MARTS) ? JSON.parse(readFileSync(BUILT_MARTS, 'utf8')) : {}
}

/** SHA-256 of what the comments and columns of a view follow from: its definition, and the columns of what it rests on. */
function shapeOf(mart: LakeMart, relations: readonly DescribedRelation[]): string {
  const names = restsOn(mart.name)
  const read = relations
    .filter(({ relation }) => names.has(relation.name))
    .map(({ relation, columns }) => [relation.name, columns.map(({ name, type }) => [name, type])])
  return sha256(definitionOf(mart), JSON.stringify(read))
}

async function describeViews(
  marts: readonly LakeMart[],
  relations: readonly DescribedRelation[],
): Promise<(DescribedRelation & { relation: LakeMart })[]> {
  if (marts.length === 0) return []
  using database = await openDatabase(':memory:')
  const needed = new Set(marts.flatMap(({ name }) => [...restsOn(name)]))
  const read = relations.filter(({ relation }) => needed.has(relation.name))
  const schemas = new Set(['mart', ...read.map(({ relation }) => relation.name.split('.')[0] ?? '')])
  const tables = read.map(
    ({ relation, columns }) =>
      `CREATE TABLE ${relation.name} (${columns.map(({ name, type }) => `${identifier(name)} ${type}`).join(', ')})`,
  )
  const statements = [...[...schemas].map((schema) => `CREATE SCHEMA ${schema}`), ...tables]
  await database.run(statements.join(';\n'))
  await installObjects(database, objectsBy(marts.map(({ name }) => name)))
  return (await describe(database, 'view', marts)).map((view) => ({
    ...view,
    columns: view.columns.filter(({ name }) => !view.relation.omitted.includes(name)),
  }))
}

/** Relations, and views that are tables of the lake too, as this program would make them. @param warehouse an empty one */
export async function definitions(
  warehouse: Database,
  names: readonly string[],
): Promise<DescribedRelation[]> {
  const relations = await describedRelations(warehouse)
  const marts = await describeMarts(martsNamed(names), relations, { written: {}, former: undefined })
  return [...relations, ...marts]
}
