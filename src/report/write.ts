import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Day } from 'candlehouse-foundation/market/day'
import { refused } from 'candlehouse-foundation/system-fault'
import type { Effects } from '../effects.js'
import { makeFolders, writeWholeFile } from '../home/files.js'
import type { Conclusion } from '../night/conclusion.js'
import { READERS, type Settings } from '../settings/index.js'
import { Drawings } from './charts/drawings.js'
import { type Report, reportModel } from './model/report.js'
import { pageOf } from './report-page.js'

export interface WrittenReport {
  readonly tradingDate: Day
  /** Null where no run has left one for the day. */
  readonly conclusion: Conclusion | null
  /** The page of the day. */
  readonly file: string
  /** `reports/latest.html`; null where this page is not that of the last night, or was written elsewhere. */
  readonly latest: string | null
  readonly bytes: number
}

export interface ReportOrder {
  /** Trading date. @default that of the last run */
  readonly day?: Day | undefined
  /** @default `reports/DATE.html` of the home, and `reports/latest.html` for the last night */
  readonly out?: string | undefined
}

/**
 * Writes the report of a day as one HTML file.
 *
 * @throws StorageError before the first publication, or where the disk refuses · UsageError for a day of which nothing is
 * known
 */
export async function writeReport(
  { home, palette, readers }: Pick<Settings, 'home' | 'palette' | 'readers'>,
  { day, out }: ReportOrder,
  effects: Effects,
): Promise<WrittenReport> {
  const report = await reportModel(home, { day, keep: out === undefined, hasPages: true }, effects)
  const folder = join(home, 'reports')
  const drawings = new Drawings()
  const page = await drawings.finish(pageOf(report, palette, drawings.draw), formerPage(folder, report.day))
  const files =
    out === undefined
      ? await filesFor(folder, report, READERS[readers].folder, effects)
      : { file: out, latest: null }
  const hint = out === undefined ? 'free some space' : 'choose another file with --out'
  for (const file of [files.file, files.latest]) {
    // Whoever may read the catalog, which has all of this, may read the report; its owner may write it again.
    const mode = READERS[readers].file | 0o200
    if (file !== null) await writeWholeFile(file, page, { mode, hint }, effects.disk)
  }
  return {
    tradingDate: report.day,
    conclusion: report.conclusion,
    ...files,
    bytes: Buffer.byteLength(page),
  }
}

/** The report that the home has of a day; empty where it has none. */
function formerPage(folder: string, day: Day): string {
  try {
    return readFileSync(join(folder, `${day}.html`), 'utf8')
  } catch {
    return ''
  }
}

async function filesFor(
  folder: string,
  { day, isLastNight }: Pick<Report, 'day' | 'isLastNight'>,
  folderMode: number,
  { disk }: Effects,
): Promise<Pick<WrittenReport, 'file' | 'latest'>> {
  try {
    await makeFolders(folder, folderMode, disk)
    return { file: join(folder, `${day}.html`), latest: isLastNight ? join(folder, 'latest.html') : null }
  } catch (cause) {
    throw refused(`create ${folder}`, cause, 'make the home writable')
  }
}
