import { addDays, type Day } from 'candlehouse-foundation/market/day'
import { readRawIndex } from '../../land/archives.js'
import { closedWalks } from '../../land/journal.js'

/** What raw pages can no longer rebuild, since a user deleted their months. */
export interface DeletedMonths {
  /** `DATASET YYYY-MM`, ascending. */
  readonly months: readonly string[]
  /** Runs that landed the deleted pages. */
  readonly runs: readonly string[]
  /** Every day that a deleted page was asked for, and the trading dates of their runs; ascending. */
  readonly days: readonly Day[]
}

/**
 * @param runs every run that has a journal
 * @throws StorageError where the index or a journal cannot be read
 */
export function deletedMonths(home: string, runs: readonly string[]): DeletedMonths {
  const { deletions } = readRawIndex(home)
  const months = [...new Set(deletions.map(({ dataset, month }) => `${dataset} ${month}`))].sort()
  const deletedRuns = new Set(deletions.flatMap((deletion) => deletion.runs))
  const days = new Set<Day>()
  for (const run of runs.filter((id) => deletedRuns.has(id))) {
    const { deleted } = closedWalks(home, run)
    // Thousands of windows of one run repeat the same days.
    const windows = new Map(deleted.map(({ window }) => [`${window.from} ${window.to}`, window]))
    for (const { from, to } of windows.values())
      for (let day = from; day <= to; day = addDays(day, 1)) days.add(day)
    // A list is of the trading date, whatever its window says.
    for (const { trading_date } of deleted.flatMap(({ pages }) => pages)) days.add(trading_date)
  }
  return { months, runs: [...deletedRuns], days: [...days].sort() }
}
