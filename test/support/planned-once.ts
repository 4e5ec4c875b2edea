import type { DuckDBPreparedStatement } from '@duckdb/node-api'
import type { Bind, Database } from '../../src/duckdb/open.js'
import { plain } from '../../src/duckdb/value.js'

/** Plans that are kept: the latest ones. One of a rule or of a large view takes some megabytes. */
const MOST_PLANS = 250

/** How often a temporary table is emptied before it is made anew: DuckDB goes on reading over its deleted rows. */
const MOST_EMPTYINGS = 100

/** Statements that are planned. */
const PLANNED = /^(SELECT|WITH|FROM|INSERT|DELETE|UPDATE|MERGE|TRUNCATE)\b/i

/** Rows of a case, and functions that DuckDB asks for their columns or files when it plans. */
const NEVER_PLANNED = /\bVALUES\s*\(|\b(read_\w+|query|glob|duckdb_\w+|pragma_\w+)\s*\(/i

const MAKES_TABLE = /^CREATE OR REPLACE TEMP TABLE (\w+)(?: AS\b|\s*\()/i
const MAKES_MACRO = /^CREATE OR REPLACE TEMP MACRO (\w+)/i
const SETS_VARIABLE = /^SET VARIABLE (\w+) = (.*)/is

interface TemporaryTable {
  readonly text: string
  /** The tables that it was made of, as they were. */
  readonly madeOf: ReadonlyMap<string, TemporaryTable>
  emptied: number
}

export interface PlannedOnce {
  readonly database: Database
  /** Forgets temporary tables and macros: others may have replaced them. */
  forget(): void
}

/**
 * The same database, where a statement that comes again is not planned again. A case has a handful of rows, and DuckDB takes four
 * fifths of its time to plan. A temporary table that would be made anew by the same statement is emptied and filled, since every
 * new table makes DuckDB plan again.
 *
 * A plan has the values of variables in it: it counts for these values only. Nor does DuckDB notice that a table has grown: beyond some
 * hundred rows, windows of an earlier plan end in an internal error.
 */
export function plannedOnce(database: Database): PlannedOnce {
  const plans = new Plans(database)
  const planned: Database = {
    ...database,
    run: async (sql, values) => {
      if (values) await plans.run(sql, values)
      else for (const statement of statementsOf(sql)) await plans.run(statement)
    },
    rows: async <Row>(sql: string, values?: readonly Bind[]) => (await plans.rows(sql, values)) as Row[],
    column: async <Value>(sql: string, values?: readonly Bind[]) => {
      const rows = await planned.rows<Record<string, Value>>(sql, values)
      return rows.map((row) => Object.values(row)[0] as Value)
    },
    count: async (sql, values) => Number((await planned.column(sql, values))[0] ?? 0),
    transaction: async (work) => {
      await planned.run('BEGIN')
      try {
        const result = await work()
        await planned.run('COMMIT')
        return result
      } catch (error) {
        await planned.run('ROLLBACK').catch(() => undefined)
        throw error
      }
    },
  }
  return { database: planned, forget: () => plans.forget() }
}

class Plans {
  private readonly plans = new Map<string, DuckDBPreparedStatement>()
  private readonly tables = new Map<string, TemporaryTable>()
  private readonly macros = new Map<string, string>()
  /** Values of variables, as text. */
  private readonly variables = new Map<string, string>()
  private readonly variablesOfMacros = new Set<string>()

  constructor(private readonly database: Database) {}

  async run(statement: string, values?: readonly Bind[]): Promise<void> {
    const text = withoutComments(statement)
    const [, variable, value] = SETS_VARIABLE.exec(text) ?? []
    if (variable !== undefined) {
      await this.database.run(statement, values)
      this.variables.set(variable, value && isConstant(value) ? value : await this.valueOf(variable))
      return
    }
    const [, macro] = MAKES_MACRO.exec(text) ?? []
    if (macro !== undefined) return await this.makeMacro(macro, statement)
    const [head, table] = MAKES_TABLE.exec(text) ?? []
    if (table !== undefined) return await this.makeTable(table, statement, queryOf(text, head), values)
    const plan = await this.planOf(statement, values)
    if (plan) await plan.run()
    else await this.database.run(statement, values)
    // What was made since the transaction began is gone.
    if (/^ROLLBACK\b/i.test(text)) this.forget()
  }

  forget(): void {
    this.tables.clear()
    this.macros.clear()
  }

  async rows(statement: string, values?: readonly Bind[]): Promise<Record<string, unknown>[]> {
    const plan = await this.planOf(statement, values)
    if (!plan) return await this.database.rows(statement, values)
    const reader = await plan.runAndReadAll()
    return reader
      .getRowObjects()
      .map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plain(value)])))
  }

  private async valueOf(variable: string): Promise<string> {
    const [value] = await this.database.column(`SELECT CAST(getvariable('${variable}') AS VARCHAR)`)
    return String(value)
  }

  private async makeMacro(name: string, statement: string): Promise<void> {
    for (const variable of variablesIn(statement)) this.variablesOfMacros.add(variable)
    if (this.macros.get(name) === statement) return
    await this.database.run(statement)
    this.macros.set(name, statement)
  }

  private async makeTable(
    name: string,
    statement: string,
    query: string | undefined,
    values?: readonly Bind[],
  ): Promise<void> {
    const made = this.tables.get(name)
    if (made && made.text === statement && this.isAsBefore(made) && made.emptied < MOST_EMPTYINGS) {
      made.emptied += 1
      await this.run(`TRUNCATE ${name}`)
      if (query !== undefined) await this.run(`INSERT INTO ${name} ${query}`, values)
      return
    }
    await this.database.run(statement, values)
    const madeOf = new Map([...this.tables].filter(([other]) => names(query, other)))
    // One that is made of itself cannot be emptied first.
    const emptied = names(query, name) ? MOST_EMPTYINGS : 0
    this.tables.set(name, { text: statement, madeOf, emptied })
  }

  /** Whether the tables that a table was made of are the same tables, with the same columns. */
  private isAsBefore({ madeOf }: TemporaryTable): boolean {
    return [...madeOf].every(([name, table]) => this.tables.get(name) === table)
  }

  /** The plan of a statement; undefined for one that is to run as it is. */
  private async planOf(
    statement: string,
    values?: readonly Bind[],
  ): Promise<DuckDBPreparedStatement | undefined> {
    if (values || !PLANNED.test(withoutComments(statement)) || NEVER_PLANNED.test(statement)) return undefined
    const variables = new Set([...variablesIn(statement), ...this.variablesOfMacros])
    const known = [...variables].sort().map((name) => `${name}=${this.variables.get(name)}`)
    const key = `${known.join(';')};${statement}`
    // The latest one comes last.
    const plan = this.plans.get(key) ?? (await this.database.connection.prepare(statement))
    this.plans.delete(key)
    this.plans.set(key, plan)
    const [oldest] = this.plans.keys()
    if (this.plans.size > MOST_PLANS && oldest !== undefined) {
      this.plans.get(oldest)?.destroySync()
      this.plans.delete(oldest)
    }
    return plan
  }
}

/** Whether a value has no function, statement or bound value in it. */
function isConstant(value: string): boolean {
  return !/[(?]/.test(value)
}

/** What a table is made of; undefined for one that is made empty. */
function queryOf(text: string, head = ''): string | undefined {
  return /\bAS$/i.test(head) ? text.slice(head.length) : undefined
}

/** Whether a text reads a temporary table: not where a comment, another schema (`recon.offender`) or a CTE has its name. */
function names(text: string | undefined, name: string): boolean {
  const sql = text?.replace(/--[^\n]*/g, '') ?? ''
  const isOfCte = new RegExp(`\\b${name} AS (NOT )?(MATERIALIZED )?\\(`, 'i').test(sql)
  return !isOfCte && new RegExp(`(?<![.\\w])${name}\\b`).test(sql)
}

/** Variables that a text reads. */
function variablesIn(text: string): string[] {
  return [...text.matchAll(/getvariable\('(\w+)'\)/g)].flatMap(([, name]) => name ?? [])
}

/** Without the comments at its beginning. */
function withoutComments(statement: string): string {
  return statement.replace(/^(\s|--[^\n]*\n)+/, '')
}

/** The statements of a text, each as it stands there. */
function statementsOf(text: string): string[] {
  const statements: string[] = []
  let from = 0
  for (const { 0: token, index } of text.matchAll(/--[^\n]*|'(?:[^']|'')*'|"(?:[^"]|"")*"|;/g)) {
    if (token !== ';') continue
    statements.push(text.slice(from, index))
    from = index + 1
  }
  statements.push(text.slice(from))
  return statements.filter((statement) => withoutComments(`${statement}\n`).trim() !== '')
}
