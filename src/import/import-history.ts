import { symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { StorageError } from 'candlehouse-foundation/errors'
import { firstSession } from 'candlehouse-foundation/market/calendar'
import { addDays, type Day } from 'candlehouse-foundation/market/day'
import { type Database, openDatabase } from '../duckdb/open.js'
import { installParsers } from '../duckdb/parse.js'
import { identifier, literal, sqlFile, sqlTemplate } from '../duckdb/sqlfile.js'
import { prepareToRead } from '../duckdb/statement.js'
import { streamChunks } from '../duckdb/streaming.js'
import { threadsWithin } from '../duckdb/threads.js'
import { removeTempFolder } from '../home/home.js'
import { datasets } from '../plan/datasets.js'
import { columnText } from './column-text.js'
import {
  type FileColumn,
  type ImportFlags,
  LINE,
  type Mapping,
  mapColumns,
  type Origin,
  requireTimeframe,
} from './columns.js'
import { type HistoryFile, inspectFile, requireUnchanged } from './file.js'
import { factsOf, type HistoryFacts } from './file-facts.js'
import { explained, fileColumns, nameAt, tableOf } from './file-table.js'
import { dayFieldOf, type Imported, isOfMarket, subjectOf } from './subject.js'

/** One record: its place among the walks, and its text as a page holds it. */
export interface HistoryRecord {
  /** Symbol or index; `*` where one walk speaks of all. */
  readonly key: string
  readonly timeframe: string
  /** Null where it is not known. */
  readonly day: Day | null
  readonly text: string
}

/** A user's file, read and checked; nothing of it is landed. */
export interface History extends Disposable {
  readonly dataset: Imported
  readonly file: HistoryFile
  readonly facts: HistoryFacts
  readonly mapping: Mapping
  /** Records by walk, in the order of their sessions; those that say the same word for word are neighbours. */
  stream(onRecords: (records: readonly HistoryRecord[]) => Promise<void>): Promise<void>
  /** Rows that a warehouse holds from the service and an import leaves as they are. @throws LockedError, StorageError */
  countStoredIn(warehouse: string): Promise<number>
  /** Why records would be rejected, in the order of the file; null where only loading can decide. */
  rejected(): Promise<readonly string[] | null>
}

/** What is read, and what the command line says of it. */
export interface HistoryRequest {
  readonly path: string
  readonly dataset: Imported
  readonly flags: ImportFlags
  /** Today in exchange time: nothing was traded after it. */
  readonly today: Day
  /** Makes the folder of its own DuckDB, which is removed with it; undefined where none can be made. */
  readonly makeFolder: () => string | undefined
}

/** DuckDB spills beyond it: a file of any size takes as much memory. The warehouse's own DuckDB is at work beside it. */
const MEMORY_LIMIT = '256MB'

/**
 * Reads a file once into a DuckDB of its own, beside the warehouse: records as the API writes them, values as text. The
 * warehouse is not needed for it, so an unreadable file is reported before anything is locked or landed.
 *
 * @throws UsageError if it is not a CSV or Parquet file, or its columns or timeframes are not those of the dataset
 */
export async function openHistory(request: HistoryRequest): Promise<History> {
  const file = await inspectFile(request.path)
  const folder = request.makeFolder()
  if (folder === undefined) {
    throw new StorageError(
      'there is no folder for temporary files: neither the home nor ~/.cache can be written',
      { hint: 'make one of them writable, or choose another home with CANDLEHOUSE_HOME' },
    )
  }
  let database: Database | undefined
  try {
    const link = join(folder, 'file')
    // By a name of our own: DuckDB takes * and [ of a path as patterns, and its folders as columns.
    symlinkSync(resolve(file.path), link)
    database = await openDatabase(join(folder, 'file.duckdb'), {
      threads: threadsWithin(MEMORY_LIMIT),
      memoryLimit: MEMORY_LIMIT,
    })
    await installParsers(database)
    await database.run(sqlFile('import/text.sql'))
    // Records are numbered as the file has them.
    await database.run('SET preserve_insertion_order = true')
    const table = tableOf(file, link)
    const columns = await fileColumns(database, file, link, table)
    const mapping = mapColumns(request.dataset, columns, request.flags, file.name)
    await readAll(database, request, { file, link, mapping, columns, table })
    await requireUnchanged(file)
    const facts = await factsOf(database, file.name, request.dataset)
    return historyOf(request.dataset, file, facts, mapping, database, folder)
  } catch (error) {
    database?.close()
    removeTempFolder(folder)
    throw error
  }
}

function historyOf(
  dataset: Imported,
  file: HistoryFile,
  facts: HistoryFacts,
  mapping: Mapping,
  database: Database,
  folder: string,
): History {
  return {
    dataset,
    file,
    facts,
    mapping,
    async stream(onRecords) {
      const order = isOfMarket(dataset) ? 'day NULLS FIRST, subject' : 'subject, timeframe, day NULLS FIRST'
      const key = isOfMarket(dataset) ? `'*'` : 'subject'
      const sql = `SELECT ${key} AS key, timeframe, CAST(day AS VARCHAR) AS day, record FROM file_record ORDER BY ${order}, record`
      await streamChunks(
        database.connection,
        await prepareToRead(database.connection, sql),
        (chunk, rows) => {
          const [keys, timeframes, days, texts] = [0, 1, 2, 3].map((at) => chunk.getColumnVector(at))
          const text = (column: typeof keys, row: number): string => String(column?.getItem(row) ?? '')
          return onRecords(
            Array.from({ length: rows }, (_, row) => ({
              key: text(keys, row),
              timeframe: text(timeframes, row),
              day: text(days, row) || null,
              text: text(texts, row),
            })),
          )
        },
      )
    },
    rejected: async () => (dataset === 'corporateActions' ? await rejectedDeclarations(database) : null),
    countStoredIn: (warehouse) => countStoredRows(database, dataset, warehouse),
    [Symbol.dispose]() {
      database.close()
      removeTempFolder(folder)
    },
  }
}

/** Declarations are checked by themselves: the statement that loads them says what is wrong with a record. */
async function rejectedDeclarations(database: Database): Promise<string[]> {
  const fields = datasets.corporateActions.fields.map((field) => [field, 'VARCHAR'])
  await database.run(
    sqlTemplate('import/declared_record.sql', {
      structure: literal(JSON.stringify(Object.fromEntries(fields))),
    }),
  )
  await database.run(sqlFile('load/corporateActions.sql'))
  return await database.column<string>(
    'SELECT reason FROM typed_record WHERE reason IS NOT NULL ORDER BY ordinal',
  )
}

/** Days before its ex-date that a corporate action may be declared. */
const FURTHEST_AHEAD = 730

/** SQL for a record's line in a CSV file, whose first line has the names, or its row in a Parquet file, from 1. */
function lineOf({ format }: HistoryFile): string {
  return `CAST(row_number() OVER ()${format.kind === 'csv' ? ' + 1' : ''} AS VARCHAR)`
}

/** Table `file_record`: one row a record of the file, as the API would write it. */
async function readAll(
  database: Database,
  { dataset, today }: HistoryRequest,
  read: { file: HistoryFile; link: string; mapping: Mapping; columns: readonly FileColumn[]; table: string },
): Promise<void> {
  const { file, link, mapping, columns, table } = read
  const names = columns.map((_, at) => identifier(nameAt(at))).join(', ')
  const value = (origin: Origin): string =>
    'constant' in origin
      ? literal(origin.constant)
      : columnText(nameAt(origin.column), columns[origin.column]?.type ?? 'VARCHAR')
  const members = [
    ...(dataset === 'corporateActions' ? [`${literal(LINE)}, ${lineOf(file)}`] : []),
    ...mapping.fields.map(({ field, origin }) => `${literal(field)}, ${value(origin)}`),
  ].join(', ')
  const time = mapping.fields.find(({ field }) => field === dayFieldOf(dataset))
  const day = time ? `parse_day(${value(time.origin)})` : 'NULL::DATE'
  const derived =
    mapping.derived === undefined ? 'false' : `lower(CAST(${nameAt(mapping.derived)} AS VARCHAR)) = 'true'`
  await explained(file, link, () =>
    database.run(
      sqlTemplate('import/file_record.sql', {
        subject: value(mapping.subject),
        timeframe: value(mapping.timeframe),
        day,
        members,
        is_derived: derived,
        file_table: table,
        columns: names,
        first_session: literal(firstSession()),
        last_day: literal(dataset === 'corporateActions' ? addDays(today, FURTHEST_AHEAD) : today),
      }),
    ),
  )
  if (dataset !== 'ohlc') return
  const odd = await database.rows<{ timeframe: string | null }>(
    'SELECT DISTINCT timeframe FROM file_record ORDER BY ALL',
  )
  for (const { timeframe } of odd) requireTimeframe(timeframe, file.name)
}

/**
 * Rows of table `file_record` of sessions that a warehouse has stored from the service: an import skips them. Reads only.
 *
 * @param warehouse path of its file
 * @throws DuckDB's error if another run has locked it or it is not a warehouse
 */
async function countStoredRows(database: Database, dataset: Imported, warehouse: string): Promise<number> {
  const { relation, shape } = datasets[dataset]
  // The service has no declarations: every row counts.
  if (shape === 'declaration') return 0
  const timeframe = dataset === 'ohlc' ? 'timeframe' : `''`
  await database.run(`ATTACH ${literal(warehouse)} AS warehouse (READ_ONLY)`)
  try {
    const subject = subjectOf(datasets[dataset])
    return await database.count(sqlTemplate('import/stored_rows.sql', { subject, timeframe, relation }))
  } finally {
    await database.run('DETACH warehouse')
  }
}
