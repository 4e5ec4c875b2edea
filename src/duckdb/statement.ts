import { type DuckDBConnection, type DuckDBPreparedStatement, StatementType } from '@duckdb/node-api'
import { UsageError } from '../errors.js'

/**
 * First words of statements that read. Looked at before DuckDB prepares anything: preparing EXPORT DATABASE
 * already makes its folder.
 */
const READING = /^(SELECT|FROM|WITH|VALUES|TABLE|DESCRIBE|DESC|SUMMARIZE|SHOW|PIVOT|UNPIVOT|EXPLAIN|\()/i

const LEADING = /^(\s+|--[^\n]*(\n|$)|\/\*[\s\S]*?\*\/)+/

/** EXPLAIN with its options: ANALYZE runs what it explains, so that must read too. */
const EXPLAIN = /^EXPLAIN(\s+ANALYZE\b|\s*\([^()]*\))*/i

/** A statement that reads. */
export interface Reading {
  prepared: DuckDBPreparedStatement
  /** The statement without what stands before it. */
  text: string
}

/**
 * Prepares the one statement of the text, which must read.
 *
 * @throws UsageError for none, several, one that writes, and for bad SQL with DuckDB's own words
 */
export async function prepareReading(connection: DuckDBConnection, sql: string): Promise<Reading> {
  const text = sql.replace(LEADING, '')
  if (text.replaceAll(/[\s;]/g, '') === '') {
    throw new UsageError('there is no statement to run', { hint: 'give one SELECT' })
  }
  const first = READING.exec(text)
  // What DuckDB cannot parse at all deserves its own message rather than ours.
  const statements = await connection.extractStatements(text).catch((cause: Error) => {
    throw new UsageError(cause.message.replace(/^Failed to extract statements: /, ''), { cause })
  })
  if (statements.count > 1) {
    throw new UsageError(`${statements.count} statements in one: only one is run`, {
      hint: 'give one SELECT',
    })
  }
  if (!first) throw refused()
  const explained = text.replace(EXPLAIN, '')
  if (explained !== text) await prepareReading(connection, explained)
  const prepared = await statements.prepare(0)
  const { statementType } = prepared
  if (statementType === StatementType.SELECT || statementType === StatementType.EXPLAIN) {
    if (prepared.parameterCount > 0) {
      throw new UsageError('the statement has a parameter, and there is no value for it', {
        hint: 'write the value into the statement',
      })
    }
    return { prepared, text }
  }
  throw refused()
}

function refused(): UsageError {
  return new UsageError(
    'only statements that read are run: SELECT, FROM, WITH, DESCRIBE, SUMMARIZE, SHOW, EXPLAIN',
    { hint: 'the catalog is read-only; copy what you need with --csv, --json or --arrow' },
  )
}
