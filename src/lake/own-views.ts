import type { Database } from '../duckdb/open.js'
import { identifier, literal } from '../duckdb/sqlfile.js'
import type { Manifest } from './manifest.js'

/** The schema of what the user adds. */
export const MINE = 'mine'

/** A view of the user's own, as the manifest has it: with it every reader of the lake has the view. */
export type OwnView = NonNullable<Manifest['own_views']>[number]

/** A view or table of the user's own: a table is a file of the lake, computed by its statement. */
export interface OwnSql extends OwnView {
  readonly kind: 'view' | 'table'
}

/** Whether a relation is a table of the user's own. */
export function isOwnTable(relation: string): boolean {
  return relation.startsWith(`${MINE}.`)
}

/** The name of a user's view in SQL. */
export function inMine(name: string): string {
  return `${MINE}.${identifier(name)}`
}

/** Creates a view of the user's own, without its comments. */
export async function createOwnView(database: Database, { name, sql }: Pick<OwnView, 'name' | 'sql'>) {
  await database.run(`CREATE OR REPLACE VIEW ${inMine(name)} AS\n${sql}`)
}

/**
 * Gives a catalog without such views those of the user's own. They were tried before the manifest was written; one that fails
 * here all the same, where another version of candlehouse reads the lake, is left out: the catalog is whole without it.
 *
 * @param views each after those that it reads
 */
export async function installOwnViews(catalog: Database, views: readonly OwnView[]): Promise<void> {
  if (views.length === 0) return
  await catalog.run(`CREATE SCHEMA IF NOT EXISTS ${MINE}`)
  for (const view of views) {
    try {
      await createOwnView(catalog, view)
      await catalog.run(commentsOf(view))
    } catch {
      await catalog.run(`DROP VIEW IF EXISTS ${inMine(view.name)}`)
    }
  }
}

function commentsOf({ name, comment, columns }: OwnView): string {
  const ofColumn = columns.map(
    (column) => `COMMENT ON COLUMN ${inMine(name)}.${identifier(column.name)} IS ${literal(column.comment)};`,
  )
  return [`COMMENT ON VIEW ${inMine(name)} IS ${literal(comment)};`, ...ofColumn].join('\n')
}
