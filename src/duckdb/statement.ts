import { type DuckDBConnection, type DuckDBPreparedStatement, StatementType } from '@duckdb/node-api'
import { UsageError } from 'candlehouse-foundation/errors'
import { literal } from './sqlfile.js'

/**
 * First words of statements that read. They are checked before DuckDB prepares the statement, because preparing
 * EXPORT DATABASE already creates its folder.
 */
const READING = /^(SELECT|FROM|WITH|VALUES|TABLE|DESCRIBE|DESC|SUMMARIZE|SHOW|PIVOT|UNPIVOT|EXPLAIN|\()/i

const LEADING = /^(\s+|--[^\n]*(\n|$)|\/\*[\s\S]*?\*\/)+/

/** EXPLAIN with its options. ANALYZE runs the explained statement, so that must be a reading one too. */
const EXPLAIN = /^EXPLAIN(\s+ANALYZE\b|\s*\([^()]*\))*/i

export interface ResultColumn {
  name: string
  type: string
}

/** The columns of a statement that is prepared. */
export function preparedColumns(prepared: DuckDBPreparedStatement): ResultColumn[] {
  return Array.from({ length: prepared.columnCount }, (_, index) => ({
    name: prepared.columnName(index),
    type: String(prepared.columnType(index)),
  }))
}

export interface Reading {
  prepared: DuckDBPreparedStatement
  /** The statement without leading comments and blanks. */
  text: string
}

/**
 * Prepares the only statement of the text, which must not write.
 *
 * @throws UsageError for no or several statements, one that writes, and for bad SQL, with DuckDB's own message
 */
export async function prepareToRead(connection: DuckDBConnection, sql: string): Promise<Reading> {
  const text = sql.replace(LEADING, '')
  if (text.replaceAll(/[\s;]/g, '') === '') {
    throw notOneStatement(0)
  }
  const first = READING.exec(text)
  // For SQL that cannot be parsed, DuckDB's message is more useful than ours. It counts the lines of the whole text.
  const statements = await connection.extractStatements(sql).catch((cause: Error) => {
    throw new UsageError(cause.message.replace(/^Failed to extract statements: /, ''), { cause })
  })
  if (statements.count > 1) {
    if (/^PIVOT\b/i.test(text)) throw pivotWithoutValues()
    throw notOneStatement(statements.count)
  }
  if (!first) throw notReading()
  const explained = text.replace(EXPLAIN, '')
  if (explained === text) await refuseFunctions(connection, text)
  else await prepareToRead(connection, explained)
  const prepared = await statements.prepare(0)
  const { statementType } = prepared
  if (statementType === StatementType.SELECT || statementType === StatementType.EXPLAIN) {
    if (prepared.parameterCount > 0) {
      throw new UsageError('the statement has a parameter, but parameters cannot be set', {
        hint: 'write the value into the statement',
      })
    }
    return { prepared, text }
  }
  throw notReading()
}

/** DuckDB runs it as two statements: the first one makes a type of the values. */
function pivotWithoutValues(): UsageError {
  return new UsageError('this PIVOT looks up its values itself, which only a writable database can', {
    hint: "name the values: PIVOT market.security ON board IN ('HOSE', 'HNX') USING count(*)",
  })
}

/** @param count statements that were given where one can be run */
export function notOneStatement(count: number): UsageError {
  const given = count === 0 ? 'no statement given' : `${count} statements given: only one can be run`
  return new UsageError(given, { hint: 'give one SELECT statement' })
}

function notReading(): UsageError {
  return new UsageError(
    'only statements that read are allowed: SELECT, FROM, WITH, DESCRIBE, SUMMARIZE, SHOW, EXPLAIN',
    {
      hint: 'the catalog is read-only; a table of your own is a file of the home: candlehouse mine new table my_table',
    },
  )
}

/**
 * Functions that a SELECT can call and that do more than read: they write files (a log into the lake, which is an allowed
 * folder), change the instance although its settings are locked, read memory by its address, or run a text as SQL, which
 * would hide the others.
 */
export const REFUSED_FUNCTIONS: readonly string[] = [
  'arrow_scan',
  'arrow_scan_dumb',
  'checkpoint',
  'disable_logging',
  'disable_peg_parser',
  'disable_profiling',
  'enable_logging',
  'enable_peg_parser',
  'enable_profiling',
  'force_checkpoint',
  'json_execute_serialized_sql',
  'query',
  'truncate_duckdb_logs',
  'write_log',
]

/** DuckDB knows no escapes in names: a text without any of these words calls none of them, and need not be parsed again. */
const WORDS = new RegExp(REFUSED_FUNCTIONS.join('|'), 'i')

const CALLS = new RegExp(`"function_name":"(${REFUSED_FUNCTIONS.join('|')})"`, 'i')

/**
 * Refuses a statement that calls one of these functions, however its name is written: DuckDB's own parser names the calls.
 *
 * @throws UsageError that names the function
 */
async function refuseFunctions(connection: DuckDBConnection, text: string): Promise<void> {
  if (!WORDS.test(text)) return
  const reader = await connection.runAndReadAll(`SELECT json_serialize_sql(${literal(text)})`)
  const [, name] = CALLS.exec(String(reader.getRows()[0]?.[0])) ?? []
  if (name === undefined) return
  throw new UsageError(`function ${name.toLowerCase()} is not allowed: it does more than read`, {
    hint: 'leave it out',
  })
}
