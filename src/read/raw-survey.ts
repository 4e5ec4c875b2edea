import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { countLedgers, type PageCount, type PageLedger } from '../lake/page-ledger.js'
import { type RawIndex, readRawIndex } from '../land/archives.js'
import { journalFolder } from '../land/journal.js'

/** Numbers of raw pages compared with the numbers of loaded pages: what a look at `raw/` shows in a second. */
export interface RawSurvey {
  readonly ledgers: readonly string[]
  readonly unreadable: readonly string[]
  /** Loaded pages of runs and datasets that are neither deleted nor as many in `raw/`. */
  readonly lost: readonly PageCount[]
  /** Archives that are gone or have another size. */
  readonly archives: readonly string[]
}

/**
 * Counts lines of journals and files of pages, and reads neither: `verifyRaw` does.
 *
 * @throws StorageError where the index of archives or a ledger cannot be read
 */
export async function surveyRaw(home: string): Promise<RawSurvey> {
  const ledgers = await countLedgers(home)
  const index = readRawIndex(home)
  const counts = await mostOf(ledgers.all)
  const byRun = new Map<string, PageCount[]>()
  for (const count of counts) byRun.set(count.run_id, [...(byRun.get(count.run_id) ?? []), count])
  const lost = [...byRun].flatMap(([run, datasets]) => {
    const loaded = datasets.filter(({ dataset }) => !index.deletionsOfRun.has(`${dataset}/${run}`))
    const pages = datasets.reduce((sum, count) => sum + count.pages, 0)
    if (linesOf(home, run) < pages) return loaded
    return loaded.filter((count) => filesOf(home, index, count) < count.pages)
  })
  const archives = index.archives
    .filter(({ archive, bytes }) => statSync(join(home, archive), { throwIfNoEntry: false })?.size !== bytes)
    .map(({ archive }) => archive)
  const { all, unreadable } = ledgers
  return { ledgers: all.map(({ name }) => name), unreadable, lost, archives }
}

/** Of every run and dataset the larger number. */
async function mostOf(ledgers: readonly Pick<PageLedger, 'counts'>[]): Promise<PageCount[]> {
  const most = new Map<string, PageCount>()
  for (const ledger of ledgers) {
    for (const count of await ledger.counts()) {
      const key = `${count.run_id} ${count.dataset}`
      if (count.pages > (most.get(key)?.pages ?? 0)) most.set(key, count)
    }
  }
  return [...most.values()]
}

function linesOf(home: string, run: string): number {
  let bytes: Buffer
  try {
    bytes = readFileSync(join(journalFolder(home), `${run}.ndjson`))
  } catch {
    return 0
  }
  let lines = 0
  for (let at = bytes.indexOf(0x0a); at >= 0; at = bytes.indexOf(0x0a, at + 1)) lines += 1
  return lines
}

/** Pages of a run and dataset that are files; as many as are looked for where an archive has some. */
function filesOf(home: string, index: RawIndex, { run_id, dataset, pages }: PageCount): number {
  if (index.archivesOfRun.has(`${dataset}/${run_id}`)) return pages
  try {
    return readdirSync(join(home, 'raw', dataset, run_id)).filter((name) => name.endsWith('.json.gz')).length
  } catch {
    return 0
  }
}
