import type { WalkBatch } from './walk-batch.js'

/**
 * Applies declarations of a user's file: each row replaces the stored row of its key, with a line in `market.revision`; rows
 * that the file does not name stay. Temp table `session_answer` gets one row per walk.
 *
 * @returns number of rows that changed
 */
export async function applyDeclarations({ steps, dataset }: WalkBatch): Promise<number> {
  // A user's file lacks nothing: fields that it does not have are not declared.
  await steps.run('load/fields/no_lost_fields')
  await steps.run('load/lists/session_answers')
  return await steps.count(`apply/${dataset.name}`)
}
