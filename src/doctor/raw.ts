import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { counted } from 'candlehouse-foundation/number-text'
import { ledgersHave, type RawVerification, verifyRaw } from '../read/raw.js'
import { type RawSurvey, surveyRaw } from '../read/raw-survey.js'
import { type Diagnosis, fail, note, ok } from './diagnosis.js'
import { failOf } from './service.js'

const MEANING =
  'What is stored and published stays; a rebuild without these pages would lose it, and replay refuses one.'
const NEXT = 'candlehouse raw verify'

/** Raw pages against the pages that the warehouse and the published lake name. @param deep reads every page too */
export async function checkRaw(
  home: string,
  deep: boolean,
  onStep: (name: string) => void,
  signal: AbortSignal,
): Promise<Diagnosis[]> {
  const isUsed = ['raw', 'warehouse.duckdb', 'catalog.duckdb'].some((name) => existsSync(join(home, name)))
  if (!isUsed) return []
  try {
    return [deep ? ofVerification(await verifyRaw(home, { onRun: onStep, signal })) : await countedOnly(home)]
  } catch (error) {
    signal.throwIfAborted()
    return [failOf('raw', error, MEANING)]
  }
}

async function countedOnly(home: string): Promise<Diagnosis> {
  const { lost, archives, ledgers, unreadable }: RawSurvey = await surveyRaw(home)
  const runs = new Set(lost.map(({ run_id }) => run_id)).size
  const findings = [
    ...(lost.length > 0
      ? [`pages of ${counted(runs, 'run')} are missing (${datasetsOf(lost)}) that ${ledgersHave(ledgers)}`]
      : []),
    ...(archives.length > 0
      ? [`${counted(archives.length, 'archive')} gone or cut short: ${archives[0]}`]
      : []),
  ]
  if (findings.length > 0) return fail('raw', 6, findings.join('; '), MEANING, NEXT)
  return ofNoDamage(ledgers, unreadable, 'as many pages as')
}

function ofVerification(verification: RawVerification): Diagnosis {
  const { isDamaged, lost, missing, changed, damagedLines, ledgers, unreadable } = verification
  if (!isDamaged) return ofNoDamage(ledgers, unreadable, 'every page that')
  const pages = lost.reduce((sum, loss) => sum + loss.pages, 0)
  const runs = new Set(lost.map(({ run }) => run)).size
  const findings = [
    ...(pages > 0
      ? [
          `${counted(pages, 'page')} of ${counted(runs, 'run')} lost (${datasetsOf(lost)}) that ${ledgersHave(ledgers)}`,
        ]
      : []),
    ...(missing.length > 0 ? [`${missing.length} missing: ${missing[0]}`] : []),
    ...(changed.length > 0 ? [`${changed.length} changed: ${changed[0]}`] : []),
    ...(damagedLines.length > 0 ? [`${counted(damagedLines.length, 'journal line')} damaged`] : []),
  ]
  return fail('raw', 6, findings.join('; '), MEANING, NEXT)
}

function ofNoDamage(
  ledgers: readonly string[],
  unreadable: readonly string[],
  comparison: string,
): Diagnosis {
  if (ledgers.length > 0) return ok('raw', `raw/ has ${comparison} ${ledgersHave(ledgers)}`)
  if (unreadable.length > 0)
    return note('raw', `raw/ was compared with nothing: ${unreadable.join('; ')}`, null, NEXT)
  return ok('raw', 'nothing is loaded yet that raw/ could be compared with')
}

function datasetsOf(lost: readonly { readonly dataset: string }[]): string {
  return [...new Set(lost.map(({ dataset }) => dataset))].sort().join(', ')
}
