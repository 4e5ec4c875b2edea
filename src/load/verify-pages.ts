import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { StorageError } from '../errors.js'
import type { PageRecord } from '../land/journal.js'

/** @throws StorageError when a landed page is missing or differs from its journal line */
export function verifyPages(home: string, pages: readonly PageRecord[]): void {
  for (const page of pages) verifyPage(home, page)
}

function verifyPage(home: string, page: PageRecord): void {
  const file = join(home, page.file)
  let bytes: Buffer
  try {
    bytes = readFileSync(file)
  } catch (cause) {
    throw new StorageError(`landed page ${file} is gone`, { hint: 'restore raw/ from a backup', cause })
  }
  if (createHash('sha256').update(bytes).digest('hex') !== page.sha256) {
    throw new StorageError(`landed page ${file} is not what was received: its sha256 differs`, {
      hint: 'restore the file from a backup',
    })
  }
}
