import { BOARDS } from 'candlehouse-foundation/market/board'
import { openInstant } from 'candlehouse-foundation/market/sessions'
import { literal } from '../duckdb/sqlfile.js'
import { relationColumns } from './apply-facts.js'
import { attributesOf } from './attributes.js'
import { keepLostFields } from './fields/lost-fields.js'
import type { WalkBatch } from './walk-batch.js'

const BOARD_LIST = `[${BOARDS.map(literal).join(', ')}]`

/** What the statements of security lists get. */
const PARTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'apply/securities': attributesOf('listed', 'stored'),
  'apply/late_securities': { boards: BOARD_LIST, ...attributesOf('listed', 'history', 'later') },
}

/**
 * Applies lists, which have all rows that are valid on a day. A stored row that a list does not name has ended only if the list
 * is complete and long enough (`sql/load/lists/session_answers.sql`). Temp table `session_answer` gets one row per list.
 *
 * @returns number of rows that changed
 */
export async function applyList(batch: WalkBatch): Promise<number> {
  const { steps, dataset, walks, calendar, asOf } = batch
  const { name } = dataset
  const open = new Date(openInstant(calendar.nextSession(asOf))).toISOString()
  await keepLostFields(batch, await relationColumns(steps, dataset))
  await steps.run('load/lists/variables', { parts: { next_open: literal(open) } })
  await steps.run('load/lists/session_answers')
  if (name === 'securities') {
    await steps.run('load/lists/all_boards', { parts: { boards: BOARD_LIST } })
  }
  if (name === 'indexMembers') await steps.run('load/lists/answered_indexes')
  const [latest] = await steps.rows<{ is_later: boolean }>('load/lists/latest_list')
  if (walks.length === 0) return 0
  const isLate = latest?.is_later === true
  // Indexes have no validity, so an earlier list changes nothing of them.
  if (isLate && name === 'indexes') return 0
  const step = isLate && name === 'securities' ? 'apply/late_securities' : `apply/${name}`
  return await steps.count(step, { parts: PARTS[step] ?? {} })
}
