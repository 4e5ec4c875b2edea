import { addDays, type Day } from 'candlehouse-foundation/market/day'
import type { Database } from '../duckdb/open.js'
import { sqlFile, sqlTemplate } from '../duckdb/sqlfile.js'
import { closedWalks, isImported, journalledRuns } from '../land/journal.js'
import { attributesOf } from './attributes.js'

/** Statements that describe the answers of some days, in their order; none of them changes stored rows. */
const FACTS = ['service_row', 'served_from', 'empty_session', 'renamed', 'omitted_symbol'] as const

/**
 * Weighs the answers of all datasets against each other, for the days of a run. A session or a row that other answers have
 * and that one lacks makes its window incomplete (`reason_code` contradicted), and complete or empty again once nothing
 * contradicts it. Rows that all answers omit on two trading dates are withdrawn together. A validity that a list ended goes on
 * where the answers of that day have the symbol.
 *
 * The result depends on stored rows, coverage and omissions alone. It is weighed at the end of a run, and by a replay after each
 * journal. Before candles are planned only windows are marked.
 *
 * @param days from the run's journal: `daysOfRun`
 * @returns how many rows the service has withdrawn
 */
export async function weighEvidence(
  database: Database,
  days: readonly Day[],
  { beforeCandles }: { beforeCandles: boolean },
): Promise<number> {
  if (days.length === 0) return 0
  return await database.transaction(async () => {
    await describe(database, days, beforeCandles)
    if (!beforeCandles) await countOf(database, 'omitted_from_lists', attributesOf('former', 'later'))
    const withdrawn = beforeCandles ? 0 : await withdraw(database)
    if (withdrawn > 0) await describe(database, days, beforeCandles)
    await database.run(sqlFile('evidence/unasked_symbol.sql'))
    await database.run(sqlFile('evidence/lacking_symbol.sql'))
    await database.run(sqlFile('evidence/unlisted_index.sql'))
    await database.run(sqlFile('evidence/contradicted_window.sql'))
    await database.run(sqlFile('evidence/mark.sql'))
    return withdrawn
  })
}

/**
 * Days that the windows and lists of a run are about, ascending. Imported files are no answers of the service.
 *
 * @throws StorageError for an unreadable journal
 */
export function daysOfRun(home: string, run: string): Day[] {
  const days = new Set<Day>()
  // A run that has landed nothing has no journal.
  if (!journalledRuns(home).includes(run)) return []
  for (const walk of closedWalks(home, run).market) {
    if (isImported(walk)) continue
    const { from, to } = walk.window
    for (let day = from; day <= to; day = addDays(day, 1)) days.add(day)
  }
  return [...days].sort()
}

async function describe(database: Database, days: readonly Day[], beforeCandles: boolean): Promise<void> {
  await database.run(sqlFile('evidence/day.sql'), [JSON.stringify(days)])
  await database.run(sqlFile('evidence/returned.sql'))
  await database.run(sqlTemplate('evidence/own_window.sql', { candles_follow: String(beforeCandles) }))
  for (const name of FACTS) await database.run(sqlFile(`evidence/${name}.sql`))
}

async function withdraw(database: Database): Promise<number> {
  return (await countOf(database, 'withdrawn')) > 0 ? await countOf(database, 'withdraw') : 0
}

async function countOf(
  database: Database,
  statement: string,
  parts: Readonly<Record<string, string>> = {},
): Promise<number> {
  return await database.count(sqlTemplate(`evidence/${statement}.sql`, parts))
}
