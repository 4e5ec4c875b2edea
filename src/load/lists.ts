import { literal } from '../duckdb/sqlfile.js'
import type { ClosedWalk } from '../land/journal.js'
import { BOARDS } from '../market/board.js'
import type { Calendar } from '../market/calendar.js'
import { instantOf } from '../market/day.js'
import type { Dataset } from '../plan/datasets.js'
import type { Steps } from './steps.js'

/** When the first board of a session opens, exchange time: futures' opening auction. */
const FIRST_PHASE = '08:45'

const BOARD_LIST = `[${BOARDS.map(literal).join(', ')}]`

/**
 * Applies lists that are the whole truth as of a day. Absence means gone only where the list is complete and
 * of a believable length. Temp table `session_answer` gets one row per list. Returns the rows that changed.
 */
export async function applyList(
  steps: Steps,
  { name }: Dataset,
  walks: readonly ClosedWalk[],
  calendar: Calendar,
  asOf: string,
): Promise<number> {
  const open = new Date(instantOf(calendar.nextSession(asOf), FIRST_PHASE)).toISOString()
  await steps.run('load/lists/variables', { parts: { next_open: literal(open) } })
  await steps.run('load/lists/session_answers')
  if (name === 'securities') {
    await steps.run('load/lists/all_boards', { parts: { boards: BOARD_LIST } })
  }
  if (name === 'indexMembers') await steps.run('load/lists/answered_indexes')
  const [latest] = await steps.rows<{ is_later: boolean }>('load/lists/latest_list')
  if (walks.length === 0) return 0
  const late = latest?.is_later === true
  // What has no validity stays as the latest list has it.
  if (late && name === 'indexes') return 0
  const step = late && name === 'securities' ? 'apply/lateSecurities' : `apply/${name}`
  const parts: Record<string, string> = step === 'apply/lateSecurities' ? { boards: BOARD_LIST } : {}
  const [changed] = await steps.rows<{ rows: bigint }>(step, { parts })
  return Number(changed?.rows ?? 0)
}
