import { dirname } from 'node:path'
import { type Database, openDatabase } from '../../duckdb/open.js'
import { sqlFile } from '../../duckdb/sqlfile.js'
import { makeTempFolder } from '../../home/home.js'
import { pathsOf, scan } from '../../lake/relation-view.js'
import { objectsBy, readsOf, uncommented } from '../../mart/objects.js'
import type { LakeMart } from '../../relations.js'
import type { DescribedRelation } from '../lake-tables.js'
import { sources } from './sources.js'

/** DuckDB spills beyond it, as the warehouse does beyond its own: a run has both open. */
const MEMORY_LIMIT = '256MB'

/** A live file of a relation. */
export interface StateFile {
  readonly relation: string
  readonly partition: string
  /** Relative to the lake. */
  readonly file: string
}

/**
 * Views over the files of a publication that is being written, as its readers will see them, and over those of the former
 * one as database `former`. What is withheld is in neither.
 *
 * @param marts their views, with all that these rest on
 * @param before undefined where nothing is compared with the former publication
 */
export async function openState(
  lake: string,
  relations: readonly DescribedRelation[],
  marts: readonly LakeMart[],
  { before, after }: { before: readonly StateFile[] | undefined; after: readonly StateFile[] },
): Promise<Database> {
  const database = await openDatabase(':memory:', {
    memoryLimit: MEMORY_LIMIT,
    spill: makeTempFolder(dirname(lake)),
  })
  try {
    const names = marts.map(({ name }) => name)
    await createViews(database, lake, relations, names, after)
    if (before) {
      await database.run("ATTACH ':memory:' AS former; USE former")
      await createViews(database, lake, relations, names.flatMap(comparedBy), before)
      await database.run('USE memory')
    }
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/** What is asked of the former publication to find the changes of a table. */
function comparedBy(mart: string): readonly string[] {
  const { compared } = sources[mart] ?? {}
  return compared ? ['market.daily_summary', ...readsOf(sqlFile(`publish/marts/${compared.query}.sql`))] : []
}

/** @param names of relations and objects of schema `mart` */
async function createViews(
  database: Database,
  lake: string,
  relations: readonly DescribedRelation[],
  names: readonly string[],
  files: readonly StateFile[],
): Promise<void> {
  const objects = objectsBy(names)
  const needed = new Set([...names, ...objects.flatMap(({ reads }) => reads)])
  const read = relations.filter(({ relation }) => needed.has(relation.name))
  const schemas = new Set(['mart', ...read.map(({ relation }) => relation.name.split('.')[0] ?? '')])
  const views = read.map(({ relation, columns }) => {
    const paths = files.filter((file) => file.relation === relation.name).map(({ file }) => ({ path: file }))
    return `CREATE VIEW ${relation.name} AS ${scan(columns, paths.length > 0 ? pathsOf(paths, lake) : undefined)}`
  })
  const statements = [...[...schemas].map((schema) => `CREATE SCHEMA ${schema}`), ...views]
  await database.run(`${statements.join(';\n')};\n${objects.map(({ text }) => uncommented(text)).join('\n')}`)
}
