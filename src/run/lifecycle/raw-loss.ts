import { StorageError } from 'candlehouse-foundation/errors'
import { counted } from 'candlehouse-foundation/number-text'
import { type Database, openDatabase } from '../../duckdb/open.js'
import { knownPages, type PageLedger, publishedLedger, warehouseLedger } from '../../lake/page-ledger.js'
import { deletionOf, readRawIndex } from '../../land/archives.js'
import type { PageRecord } from '../../land/journal.js'
import type { DamagedLine } from '../../land/journal-lines.js'
import { compareRaw, isAsReceived, type RawLoss, type RawState } from '../../land/loss.js'
import { isPart } from '../../plan/parts.js'

/** `raw/` compared with every record of the loaded pages that a home has besides its journals. */
export interface ComparedRaw extends RawState {
  /** With what it was compared: the warehouse, the published lake. */
  readonly ledgers: readonly string[]
}

/** @param warehouse undefined where there is none, or where it cannot be read */
export async function compareWithLedgers(
  home: string,
  warehouse: Database | undefined,
): Promise<ComparedRaw> {
  const database = warehouse ?? (await openDatabase(':memory:'))
  try {
    const ledgers: PageLedger[] = []
    if (warehouse && (await isReadable(warehouse))) ledgers.push(warehouseLedger(warehouse))
    const published = await publishedLedger(home, database)
    if (typeof published === 'object') ledgers.push(published)
    const { runs, pagesOf } = await knownPages(ledgers)
    return { ...(await compareRaw(home, runs, pagesOf)), ledgers: ledgers.map(({ name }) => name) }
  } finally {
    if (!warehouse) database.close()
  }
}

async function isReadable(warehouse: Database): Promise<boolean> {
  const read = warehouse.rows('SELECT count(raw_file), count(sha256) FROM ops.request')
  return await read.then(
    () => true,
    () => false,
  )
}

/** Runs that a message names; `raw verify` names all. */
const NAMED = 3

/** What is lost, in one line: pages by run and dataset with their days. */
export function describeLoss(losses: readonly RawLoss[]): string {
  const runs = [...new Set(losses.map(({ run }) => run))]
  const pages = losses.reduce((sum, loss) => sum + loss.pages, 0)
  const named = runs.slice(0, NAMED).map((run) => {
    const ofRun = losses.filter((loss) => loss.run === run)
    const pages = ofRun.map((loss) => `${loss.dataset} ${loss.pages} (${loss.days.join(' to ')})`)
    return `run ${run}: ${pages.join(', ')}`
  })
  const more = runs.length > NAMED ? [`${runs.length - NAMED} more runs`] : []
  const accounts = ofAccounts(losses.some((loss) => loss.isOfAccounts))
  return `${counted(pages, 'page')} of ${counted(runs.length, 'run')} (${[...named, ...more].join('; ')}), such as ${losses[0]?.example}${accounts}`
}

function ofAccounts(hasAccounts: boolean): string {
  return hasAccounts ? '; account snapshots are among them, which nobody can fetch again' : ''
}

/** Pages that no ledger names, in one line. */
function describeUnloaded(pages: readonly PageRecord[]): string {
  const hasAccounts = pages.some(({ window }) => isPart(window.dataset))
  return `${counted(pages.length, 'journalled page')}, such as ${pages[0]?.file}${ofAccounts(hasAccounts)}`
}

/** Damaged lines by run, in one line. */
export function describeLines(lines: readonly DamagedLine[]): string {
  const runs = [...new Set(lines.map(({ run }) => run))]
  return runs
    .map((run) => {
      const numbers = lines.filter((line) => line.run === run).map(({ line }) => line)
      return `raw/journal/${run}.ndjson, ${numbers.length === 1 ? 'line' : 'lines'} ${numbers.slice(0, 5).join(', ')}${numbers.length > 5 ? ' …' : ''}`
    })
    .join('; ')
}

/** What to type where a replay is refused. */
const CURE =
  'restore raw/ from a backup and run candlehouse raw verify; or rebuild without it, for good: candlehouse replay --without-missing'

/**
 * Refuses a replay that would lose stored rows, or that has nothing but damaged journals to follow.
 *
 * @throws StorageError
 */
export function requireNoLoss({ losses, damagedLines, unloaded, ledgers }: ComparedRaw): void {
  if (losses.length > 0) {
    throw new StorageError(
      `a replay would lose what ${ledgers.join(' and ')} ${ledgers.length > 1 ? 'have' : 'has'}; gone or not as received in raw/: ${describeLoss(losses)}; nothing was replaced`,
      { hint: CURE },
    )
  }
  if (ledgers.length > 0 || damagedLines.length + unloaded.length === 0) return
  const lines = damagedLines.length > 0 ? [`damaged: ${describeLines(damagedLines)}`] : []
  const files = unloaded.length > 0 ? [`gone or not as received: ${describeUnloaded(unloaded)}`] : []
  throw new StorageError(
    `raw/ is damaged, and there is no warehouse and no published lake that could say what is lost; ${[...lines, ...files].join('; ')}; nothing was replaced`,
    { hint: CURE },
  )
}

/** What a replay says about its evidence. */
export function comparisonNotes({ losses, damagedLines, unloaded, ledgers }: ComparedRaw): string[] {
  return [
    ledgers.length === 0
      ? 'there was nothing to compare raw/ with: no warehouse and no published lake could be read'
      : losses.length === 0
        ? `every page that ${ledgers.join(' and ')} ${ledgers.length > 1 ? 'have' : 'has'} is in raw/`
        : `rebuilt without ${describeLoss(losses)}`,
    ...(damagedLines.length > 0 ? [`skipped damaged journal lines: ${describeLines(damagedLines)}`] : []),
    ...(unloaded.length > 0
      ? [
          `skipped, gone or not as received${ledgers.length > 0 ? `, and unknown to ${ledgers.join(' and ')}` : ''}: ${describeUnloaded(unloaded)}`,
        ]
      : []),
  ]
}

/** Pages that are gone or are not what was received. */
export function lostPages(home: string, pages: readonly PageRecord[]): PageRecord[] {
  const index = readRawIndex(home)
  return pages.filter((page) => !deletionOf(index, page) && !isAsReceived(home, page))
}
