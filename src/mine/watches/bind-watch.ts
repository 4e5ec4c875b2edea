import type { Database } from '../../duckdb/open.js'
import { preparedColumns, prepareToRead, type ResultColumn } from '../../duckdb/statement.js'
import { asSubquery } from '../../duckdb/streaming.js'
import { type Fault, faultOf } from '../fault.js'
import type { OwnFile } from '../own-files.js'
import { watchHeadOf } from './watch-head.js'

/** A watch of the user's own that binds. */
export interface BoundWatch {
  readonly name: string
  /** Below the home. */
  readonly file: string
  readonly title: string
  /** Columns that say which row it is, in the order in which the head names them. */
  readonly key: readonly string[]
  readonly columns: readonly ResultColumn[]
  readonly sql: string
}

/** Binds a watch of the user's own in a catalog without rows, which has his views and tables. */
export async function bindWatch(
  database: Database,
  { name, file, text }: OwnFile,
): Promise<BoundWatch | Fault> {
  try {
    const { text: statement, prepared } = await prepareToRead(database.connection, text)
    const columns = preparedColumns(prepared)
    const names = columns.map((column) => column.name)
    const { title, key = names } = watchHeadOf(text, name)
    return faultOfColumns(text, names, key) ?? { name, file, title, key, columns, sql: asSubquery(statement) }
  } catch (cause) {
    return await faultOf(database, cause, text)
  }
}

/** What is wrong with the names of columns: two rows could have the same id. */
function faultOfColumns(text: string, names: readonly string[], key: readonly string[]): Fault | undefined {
  const line = text.split('\n').findIndex((each) => /^--\s*key:/.test(each)) + 1 || undefined
  const doubled = names.find((name, at) => names.indexOf(name) < at)
  if (doubled !== undefined)
    return { line: undefined, wrong: `it has two columns ${doubled}`, next: 'name one of them with AS' }
  if (key.length === 0) return { line, wrong: 'its key has no column', next: 'remove the line, or name some' }
  const unknown = key.find((name) => !names.includes(name))
  if (unknown === undefined) return undefined
  return {
    line,
    wrong: `its key has ${unknown}, which is not a column of it`,
    next: `it has ${names.join(', ')}`,
  }
}
