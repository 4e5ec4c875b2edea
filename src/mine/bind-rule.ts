import { RULE_COLUMNS } from '../audit/own-rule.js'
import type { Database } from '../duckdb/open.js'
import { preparedColumns, prepareToRead } from '../duckdb/statement.js'
import { asSubquery } from '../duckdb/streaming.js'
import { type Fault, faultOf } from './fault.js'
import type { OwnFile } from './own-files.js'
import { type RuleHead, ruleHeadOf } from './rule-head.js'

/** A rule of the user's own that binds. */
export interface BoundRule {
  readonly name: string
  /** Below the home. */
  readonly file: string
  readonly head: RuleHead
  readonly sql: string
}

/** Binds a rule of the user's own in a catalog without rows. @param others whose numbers are taken */
export async function bindRule(
  database: Database,
  { name, file, text, reads }: OwnFile,
  others: readonly BoundRule[],
): Promise<BoundRule | Fault> {
  const head = ruleHeadOf(text)
  if ('wrong' in head) return { line: 1, ...head }
  const other = others.find((rule) => rule.head.number === head.number)
  if (other)
    return { line: 1, wrong: `rule ${head.number} is ${other.file} already`, next: 'give it another number' }
  const [relation] = reads
  if (relation !== undefined)
    return {
      line: undefined,
      wrong: `it reads mine.${relation}, which is published after the rules have run`,
      next: 'read what mine has from market, account or mart',
    }
  try {
    const { text: statement, prepared } = await prepareToRead(database.connection, text)
    const names = new Set(preparedColumns(prepared).map((column) => column.name))
    const missing = RULE_COLUMNS.filter((column) => !names.has(column))
    if (missing.length > 0)
      return {
        line: undefined,
        wrong: `it has no column ${missing.join(', ')}`,
        next: `a rule has the columns ${RULE_COLUMNS.join(', ')}`,
      }
    return { name, file, head, sql: asSubquery(statement) }
  } catch (cause) {
    return await faultOf(database, cause, text)
  }
}
