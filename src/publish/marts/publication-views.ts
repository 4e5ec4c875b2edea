import { dirname } from 'node:path'
import { type Database, openDatabase } from '../../duckdb/open.js'
import { makeTempFolder } from '../../home/home.js'
import { pathsOf, scan } from '../../lake/relation-view.js'
import { objectsBy, restsOn } from '../../mart/objects.js'
import type { LakeMart } from '../../relations.js'
import type { DescribedRelation } from '../lake-tables.js'

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
    const needed = new Set(marts.flatMap(({ name }) => [...restsOn(name)]))
    const views = relations.filter(({ relation }) => needed.has(relation.name))
    await createViews(database, lake, views, marts, after)
    if (before) {
      await database.run("ATTACH ':memory:' AS former; USE former")
      await createViews(database, lake, views, marts, before)
      await database.run('USE memory')
    }
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

async function createViews(
  database: Database,
  lake: string,
  relations: readonly DescribedRelation[],
  marts: readonly LakeMart[],
  files: readonly StateFile[],
): Promise<void> {
  const schemas = new Set(['mart', ...relations.map(({ relation }) => relation.name.split('.')[0] ?? '')])
  const views = relations.map(({ relation, columns }) => {
    const paths = files.filter((file) => file.relation === relation.name).map(({ file }) => ({ path: file }))
    return `CREATE VIEW ${relation.name} AS ${scan(columns, paths.length > 0 ? pathsOf(paths, lake) : undefined)}`
  })
  const objects = objectsBy(marts.map(({ name }) => name)).map(({ text }) => text)
  const statements = [...[...schemas].map((schema) => `CREATE SCHEMA ${schema}`), ...views]
  await database.run(`${statements.join(';\n')};\n${objects.join('\n')}`)
}
