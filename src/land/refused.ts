import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { StorageError } from '../errors.js'
import { writeWholeFile } from '../whole-file.js'

/** Bodies of one run: a service that has gone wrong sends the same damage a thousand times. */
const BODIES_PER_RUN = 20

/** More of a body than anybody looks at. */
const BYTES_OF_A_BODY = 1_048_576

/**
 * Keeps a body that is not a page for a look: `raw/refused/ID.body`, outside the journal, never loaded. Only the first
 * bodies of a run are kept, and the first MiB of each.
 *
 * @param id request that the body answered
 * @throws StorageError when it cannot be written
 */
export async function keepRefused(home: string, run: string, id: string, body: Uint8Array): Promise<void> {
  const folder = join(home, 'raw', 'refused')
  const hint = 'free some space or choose another folder with CANDLEHOUSE_HOME, then run again'
  let names: string[]
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    names = await readdir(folder)
  } catch (cause) {
    throw new StorageError(`cannot write ${folder}: ${(cause as Error).message}`, { hint, cause })
  }
  if (body.length === 0 || names.filter((name) => name.startsWith(run)).length >= BODIES_PER_RUN) return
  const kept = body.subarray(0, BYTES_OF_A_BODY)
  await writeWholeFile(join(folder, `${id}.body`), kept, { mode: 0o600, hint, syncFolder: false })
}
