import { UsageError } from 'candlehouse-foundation/errors'
import type { Day } from 'candlehouse-foundation/market/day'
import { counted } from 'candlehouse-foundation/number-text'
import { type DeletableMonth, deletableMonths, deleteMonths, removeDeleted } from '../../land/delete.js'
import { type DamagedPage, looseMonths, packMonth } from '../../land/pack.js'
import type { Settings } from '../../settings/index.js'
import type { Run } from '../lifecycle/run.js'
import type { RunIo } from '../lifecycle/run-io.js'
import { withRun } from '../lifecycle/with-run.js'

export interface Packed {
  readonly before: Day
  /** Archives written by this call. */
  readonly archives: readonly {
    readonly archive: string
    readonly dataset: string
    readonly month: string
    readonly pages: number
    readonly bytes: number
  }[]
  /** Files removed after their pages were read back from an archive. */
  readonly removed: number
  /** Pages that are not what was received: they stay files. */
  readonly damaged: readonly DamagedPage[]
}

export interface Deleted {
  readonly before: Day
  readonly deleted: boolean
  readonly months: readonly Omit<DeletableMonth, 'runs'>[]
}

/**
 * Puts raw pages of months that lie wholly before a day into archives, one for each dataset and month.
 *
 * @throws LockedError while a run has the warehouse locked · StorageError when the disk refuses; nothing is lost then
 */
export async function runPack(settings: Settings, before: Day, io: RunIo): Promise<Packed> {
  const { value } = await withRun(settings, { job: 'raw pack', kind: 'inquiry' }, io, {
    work: async ({ home }) => await packMonths(home, before, io),
  })
  return value
}

async function packMonths(home: string, before: Day, { progress, signal, effects }: RunIo): Promise<Packed> {
  removeDeleted(home, effects)
  const months = looseMonths(home, before.slice(0, 7))
  const archives: Packed['archives'][number][] = []
  const damaged: DamagedPage[] = []
  let removed = 0
  progress.phase(
    'pack',
    months.reduce((sum, { pages }) => sum + pages.length, 0),
    'pages',
  )
  for (const month of months) {
    signal.throwIfAborted()
    const onPage = (): void => progress.advance(1, `${month.dataset} ${month.month}`)
    const packed = await packMonth(home, month, { onPage, signal }, effects)
    removed += packed.removed
    damaged.push(...packed.damaged)
    if (packed.archive) {
      const { archive, dataset, month: name, pages, bytes } = packed.archive
      archives.push({ archive, dataset, month: name, pages, bytes })
    }
  }
  progress.done()
  return { before, archives, removed, damaged }
}

/**
 * Deletes raw pages of months that lie wholly before a day for good.
 *
 * @param confirmed whether anything is deleted; else what would be is returned
 * @throws UsageError where a run's pages were never loaded: they would be lost · LockedError while a run has the warehouse
 * locked · StorageError when the disk refuses
 */
export async function runDelete(
  settings: Settings,
  before: Day,
  confirmed: boolean,
  io: RunIo,
): Promise<Deleted> {
  const { value } = await withRun(settings, { job: 'raw delete', kind: 'inquiry' }, io, {
    async work(run) {
      const months = deletableMonths(run.home, before.slice(0, 7))
      await requireLoaded(run, months)
      if (confirmed) await deleteMonths(run.home, months, io.effects)
      return { before, deleted: confirmed, months: months.map(({ runs: _, ...month }) => month) }
    },
  })
  return value
}

/** Pages of killed runs stand in no table yet. */
async function requireLoaded({ warehouse }: Run, months: readonly DeletableMonth[]): Promise<void> {
  const loaded = new Set(
    await warehouse.column<string>(`SELECT run_id FROM ops.run WHERE state <> 'running'`),
  )
  const unloaded = new Set(months.flatMap(({ runs }) => runs).filter((run) => !loaded.has(run)))
  if (unloaded.size === 0) return
  throw new UsageError(
    `pages of ${counted(unloaded.size, 'run')} are not in the warehouse yet (${[...unloaded][0]}): nothing was deleted`,
    { hint: 'candlehouse nightly    # loads them' },
  )
}
