import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Database, openDatabase } from '../../duckdb/open.js'
import { sqlFile } from '../../duckdb/sqlfile.js'
import { makeTempFolder } from '../../home/home.js'
import { pathsOf, scan } from '../../lake/relation-view.js'
import { objectsBy, readsOf, restsOn, uncommented } from '../../mart/objects.js'
import type { LakeMart } from '../../relations.js'
import type { DescribedRelation } from '../lake-tables.js'
import { isSession, planLevels } from '../levels.js'
import { type FilePlan, partitionsOf, planFile } from '../partitions.js'
import type { ChosenMarts } from './chosen.js'
import { definitionOf } from './described.js'
import { planSessions } from './session-files.js'
import { sources } from './sources.js'
import { planSymbols } from './symbols.js'

/** What a publication has changed of the relations, and what the tables were made from when they were last written. */
export interface MartChanges {
  readonly lake: string
  readonly relations: readonly DescribedRelation[]
  readonly marts: readonly LakeMart[]
  /** Definitions of the tables as they were last written, by name. */
  readonly written: Readonly<Record<string, string>>
  /** Live files of everything, before this publication and after the files of its relations. */
  readonly before: readonly (StateFile & { row_count: bigint })[]
  readonly after: readonly StateFile[]
  /** Relations whose files changed. */
  readonly changed: ReadonlySet<string>
  /** Relations whose columns changed. */
  readonly changedSchema: ReadonlySet<string>
  /** Sessions and months that were marked as changed and are not withheld as a whole. */
  readonly marks: readonly { relation: string; partition: string }[]
}

/** Whether the tables are those of the setting, of the present definitions, and no file of them is lost. */
export function areMartsCurrent(
  lake: string,
  { chosen, retired, added, written }: ChosenMarts,
  live: readonly StateFile[],
): boolean {
  const names = new Set(chosen.map(({ name }) => name))
  return (
    retired.length === 0 &&
    added.size === 0 &&
    chosen.every((mart) => written[mart.name] === definitionOf(mart)) &&
    live.every(({ relation, file }) => !names.has(relation) || existsSync(join(lake, file)))
  )
}

/** What changed of one table. */
interface Touched {
  readonly mart: LakeMart
  readonly all: boolean
  readonly partitions: readonly string[]
  /** Whether what its views compare may differ. */
  readonly compares: boolean
}

/**
 * Calls `write` with the files to write of the tables that follow from views, and the database to ask: views over exactly
 * the files that readers of this publication will have. Nothing is opened where nothing that a table rests on has changed.
 */
export async function writeMarts(
  changes: MartChanges,
  write: (plan: FilePlan, state: Database) => Promise<void>,
): Promise<void> {
  const touched = changes.marts
    .map((mart) => touchedOf(mart, changes))
    .filter(({ all, partitions, compares }) => all || compares || partitions.length > 0)
  if (touched.length === 0) return
  const marts = touched.map(({ mart }) => mart)
  const isCompared = touched.some(({ mart, all }) => !all && mart.layout !== 'whole')
  const files = { before: isCompared ? existing(changes) : undefined, after: changes.after }
  using state = await openState(changes.lake, changes.relations, marts, files)
  for (const each of touched) for await (const plan of plansOf(state, each, changes)) await write(plan, state)
}

/** Files of the former publication, without those that are lost: then all rows of what rests on them count as changed. */
function existing({ lake, before }: MartChanges): readonly StateFile[] {
  return before.filter(({ file }) => existsSync(join(lake, file)))
}

function touchedOf(mart: LakeMart, changes: MartChanges): Touched {
  const { lake, written, before, changed, changedSchema, marks } = changes
  const { sessions = [], compared, ignored = [] } = sources[mart.name] ?? {}
  const inputs = [...restsOn(mart.name)].filter((name) => changed.has(name) && !ignored.includes(name))
  const isLost = ({ file }: StateFile): boolean => !existsSync(join(lake, file))
  const isNew = (name: string): boolean => {
    const files = before.filter(({ relation }) => relation === name)
    // A comparison finds what the first rows of a relation change: the first adjustment event of a home.
    const isFirst = files.length === 0 && !compared?.relations.includes(name)
    return isFirst || changedSchema.has(name) || files.some(isLost)
  }
  return {
    mart,
    all:
      written[mart.name] !== definitionOf(mart) ||
      (mart.layout === 'whole' ? inputs.length > 0 : inputs.some(isNew)),
    partitions: [
      ...marks.filter(({ relation }) => sessions.includes(relation) && changed.has(relation)),
      ...before.filter((file) => file.relation === mart.name && isLost(file)),
    ].map(({ partition }) => partition),
    compares: inputs.some((name) => compared?.relations.includes(name) ?? false),
  }
}

async function* plansOf(
  state: Database,
  touched: Touched,
  { before }: MartChanges,
): AsyncGenerator<FilePlan> {
  const { mart, all, partitions, compares } = touched
  const live = before.filter(({ relation }) => relation === mart.name)
  const files = live.map(({ partition }) => partition)
  if (mart.layout === 'whole') return yield planFile(mart, 'all', files, true)
  const query = compares ? sqlFile(`publish/marts/${sources[mart.name]?.compared?.query}.sql`) : undefined
  if (mart.layout === 'symbol') {
    const isLost = partitions.some((partition) => /^(recent|past)/.test(partition))
    const symbols = all ? undefined : query
    return yield* planSymbols(state, mart, { all: all || isLost, partitions, symbols }, live)
  }
  const sessions = all
    ? [...files, ...(await partitionsOf(state, mart))]
    : [...partitions, ...(query === undefined ? [] : await state.column<string>(query))]
  if (sessions.length === 0) return
  const { changed, merged } = await planLevels(state, mart, sessions, live)
  const planOf = (partition: string, rows?: string): FilePlan =>
    planFile(mart, partition, files, changed.has(partition), rows)
  const planned = [...changed, ...merged].sort()
  for (const partition of planned) if (!isSession(partition)) yield planOf(partition)
  yield* planSessions(state, mart, planned.filter(isSession), planOf)
}

/** DuckDB spills beyond it, as the warehouse does beyond its own: a run has both open. */
const MEMORY_LIMIT = '256MB'

/** A live file of a relation. */
interface StateFile {
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
