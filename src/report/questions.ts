import { literal, sqlFile, sqlTemplate } from '../duckdb/sqlfile.js'
import type { AnswerCache } from './answer-cache.js'

/** What the questions of `sql/report` may be about. */
export interface Subjects {
  readonly day: string
  readonly today: string
  readonly session: string
  readonly before: string
  readonly since: string
  readonly until: string
  readonly run: string
}

/** Asks the questions of `sql/report` of one publication. */
export type Ask = <Row>(question: string) => Promise<readonly Row[]>

/** @param subjects those that the questions name; dates and instants as text */
export function questionsOf(answers: AnswerCache, subjects: Partial<Subjects>): Ask {
  return async (question) => {
    const path = `report/${question}.sql`
    const named = [...new Set(sqlFile(path).match(/\$[a-z]+/g))].map((name) => name.slice(1))
    const parts = named.map((name) => [name, literalOf(name as keyof Subjects, subjects)] as const)
    return await answers.ask(question, sqlTemplate(path, Object.fromEntries(parts)))
  }
}

function literalOf(name: keyof Subjects, subjects: Partial<Subjects>): string {
  const value = subjects[name]
  if (value === undefined)
    throw new RangeError(`a question of the report is about $${name}, which is not given`)
  if (name === 'run') return literal(value)
  return `${name === 'since' || name === 'until' ? 'TIMESTAMPTZ' : 'DATE'} ${literal(value)}`
}
