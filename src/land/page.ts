import { createHash } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'
import { refused } from '../system-fault.js'
import { writeWholeFile } from '../whole-file.js'

const compress = promisify(gzip)

/** Folders that exist, as this process knows: then a page costs one file, not also three calls for its folder. */
const knownFolders = new Set<string>()

export interface LandedFile {
  /** Relative to the home folder. */
  file: string
  sha256: string
}

/**
 * Lands one page whole or not at all; the journal syncs the folder before its line names the page. The
 * gzip bytes of the wire are written without a change; uncompressed bodies are compressed at level 1 (level 6 costs 2.3
 * CPU-seconds per million candles, more than everything else).
 *
 * @throws StorageError when the page cannot be written
 */
export async function landPage(
  home: string,
  file: string,
  page: { body: Uint8Array; wire: Uint8Array | undefined },
): Promise<LandedFile> {
  const bytes = page.wire ?? (await compress(page.body, { level: constants.Z_BEST_SPEED }))
  const target = join(home, file)
  const folder = dirname(target)
  const hint = 'free some space or choose another folder with CANDLEHOUSE_HOME, then run again'
  if (!knownFolders.has(folder)) {
    await mkdir(folder, { recursive: true, mode: 0o700 }).catch((cause: Error) => {
      throw refused(`write ${target}`, cause, hint)
    })
    knownFolders.add(folder)
  }
  // The journal syncs the folder, once for many pages, before a line names one of them.
  await writeWholeFile(target, bytes, { mode: 0o600, temp: `${target}.tmp`, syncFolder: false, hint })
  return { file, sha256: createHash('sha256').update(bytes).digest('hex') }
}
