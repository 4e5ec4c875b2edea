import type { Day } from 'candlehouse-foundation/market/day'
import type { Database } from '../duckdb/open.js'
import { sha256 } from '../home/sha256.js'
import type { Rule } from './rule.js'

/** Numbers of the user's own rules begin here: ours stay below. */
export const FIRST_OWN_RULE = 1000

/** Columns of the rows of a rule. */
export const RULE_COLUMNS = [
  'trading_date',
  'subject',
  'relation',
  'key',
  'expected',
  'actual',
  'residual',
  'result',
] as const

/** Rules of the user's own that work. Their statements never run in the process of the writer. */
export interface OwnRules {
  readonly rules: readonly Rule[]
  /** Numbers of rules whose file does not work now: their findings stay as they are. */
  readonly broken: readonly number[]
  /** Fills temp table `own_rule_row` with the rows of a rule. @returns whether it did; else its findings stay as they are */
  evaluate(database: Database, rule: Rule, days: readonly Day[]): Promise<boolean>
}

export const NO_OWN_RULES: OwnRules = { rules: [], broken: [], evaluate: async () => false }

/** What a head of the user's own states, as a rule: a query over the rows that were computed for it. */
export function ownRule(
  stated: Pick<Rule, 'number' | 'title' | 'severity' | 'about' | 'needs' | 'why'> & { readonly back: number },
  sql: string,
): Rule {
  const { back, ...rule } = stated
  return {
    ...rule,
    warnsOn: [],
    evidence: [],
    learning: false,
    reach: { back, snapshots: 0, lists: [] },
    isPerSymbol: false,
    silence: undefined,
    tolerance: '',
    // A hash of the statement: where it changes, sessions are checked again.
    query: `SELECT * FROM own_rule_row /* 'not_evaluable' ${sha256(sql)} */`,
  }
}

export function isOwnRule({ number }: Pick<Rule, 'number'>): boolean {
  return number >= FIRST_OWN_RULE
}
