import { UsageError } from 'candlehouse-foundation/errors'
import { firstSession, loadCalendar } from 'candlehouse-foundation/market/calendar'
import type { Day } from 'candlehouse-foundation/market/day'
import { visible } from 'candlehouse-foundation/visible'
import type { Database } from '../duckdb/open.js'
import { sqlFile, sqlTemplate } from '../duckdb/sqlfile.js'
import { dayFieldOf, type Imported } from './subject.js'

export interface ClosedDay {
  readonly day: Day
  readonly rows: number
}

export interface HistoryFacts {
  /** Records, those that say the same word for word included. */
  readonly rows: number
  /** Symbols or indexes. */
  readonly subjects: number
  readonly sessions: number
  /** First and last of them; null where none can be read. */
  readonly from: Day | null
  readonly to: Day | null
  /** Records whose day cannot be read, or is none on which anything was traded: they will wait in quarantine. */
  readonly undated: number
  /** Days of records of the market on which nothing is traded by the packaged calendar, and how many records they have. */
  readonly closed: readonly ClosedDay[]
  /** Bars that were made from others and are not imported. */
  readonly derived: number
}

/**
 * Counts table `file_record` and takes derived bars out of it.
 *
 * @throws UsageError where no row is left, or none has a day that can be read: a file of another shape, not of bad records
 */
export async function factsOf(database: Database, name: string, dataset: Imported): Promise<HistoryFacts> {
  const [counts] = await database.rows<
    Record<'rows' | 'subjects' | 'sessions' | 'undated' | 'derived' | 'hidden', bigint> & {
      from: Day | null
      to: Day | null
      example: string | null
      hidden_example: string | null
    }
  >(sqlTemplate('import/file_facts.sql', { day_field: dayFieldOf(dataset) }))
  await database.run('DELETE FROM file_record WHERE is_derived')
  const rows = Number(counts?.rows ?? 0)
  if (rows === 0) {
    const why = counts?.derived ? 'only derived bars' : 'a head and no rows'
    throw new UsageError(`${name} has ${why}: there is nothing to import`, {
      hint: `give a file with rows of ${dataset}`,
    })
  }
  if (counts?.hidden) {
    const example = visible(counts.hidden_example ?? '').replaceAll(/[\n\t]/g, ' ')
    throw new UsageError(
      `${name}: ${counts.hidden} rows are of symbols with characters that nobody sees (such as '${example}')`,
      { hint: 'remove control characters and byte order marks from the symbols, then import the file again' },
    )
  }
  if (Number(counts?.undated) === rows) {
    throw new UsageError(`${name}: no row has a day that can be read (such as '${counts?.example ?? ''}')`, {
      hint:
        dataset === 'corporateActions'
          ? `write days as 2015-03-14, from ${firstSession()} on`
          : `write days as 2015-03-14, times as 2015-03-14 09:15:00, from ${firstSession()} up to today`,
    })
  }
  return {
    rows,
    subjects: Number(counts?.subjects),
    sessions: Number(counts?.sessions),
    from: counts?.from ?? null,
    to: counts?.to ?? null,
    undated: Number(counts?.undated),
    closed: dataset === 'corporateActions' ? [] : await closedDays(database),
    derived: Number(counts?.derived),
  }
}

async function closedDays(database: Database): Promise<ClosedDay[]> {
  const days = await database.rows<{ day: Day; rows: number }>(sqlFile('import/file_days.sql'))
  const calendar = loadCalendar()
  return days.filter(({ day }) => !calendar.isSession(day))
}
