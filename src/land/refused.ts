import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { StorageError } from 'candlehouse-foundation/errors'
import type { Effects } from '../effects.js'
import { makeFolders, writeWholeFile } from '../home/files.js'

/** Bodies stored per run, at most: a broken service sends the same damage a thousand times. */
const BODIES_PER_RUN = 20

/** Bytes stored per body, at most. */
const BYTES_OF_A_BODY = 1_048_576

/**
 * Stores a body that is not a page, so that a person can inspect it: `raw/refused/ID.body`, outside the journal, never loaded.
 * Only the first bodies of a run are stored, and the first MiB of each.
 *
 * @param id of the request to which the body is the response
 * @throws StorageError when it cannot be written
 */
export async function storeRefused(
  home: string,
  run: string,
  id: string,
  body: Uint8Array,
  { disk }: Effects,
): Promise<void> {
  const folder = join(home, 'raw', 'refused')
  const hint = 'free some space or choose another folder with CANDLEHOUSE_HOME, then run again'
  let names: string[]
  try {
    await makeFolders(folder, 0o700, disk)
    names = readdirSync(folder)
  } catch (cause) {
    throw new StorageError(`cannot write ${folder}: ${(cause as Error).message}`, { hint, cause })
  }
  if (body.length === 0 || names.filter((name) => name.startsWith(run)).length >= BODIES_PER_RUN) return
  const beginning = body.subarray(0, BYTES_OF_A_BODY)
  const options = { mode: 0o600, hint, syncFolder: false }
  await writeWholeFile(join(folder, `${id}.body`), beginning, options, disk)
}
