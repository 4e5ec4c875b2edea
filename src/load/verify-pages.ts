import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { StorageError } from '../errors.js'
import type { PageRecord } from '../land/journal.js'
import { readPage } from '../land/read-page.js'

/** @throws StorageError when a landed page is missing or differs from its journal line */
export function verifyPages(home: string, pages: readonly PageRecord[]): void {
  for (const page of pages) verifyPage(home, page)
}

function verifyPage(home: string, page: PageRecord): void {
  if (createHash('sha256').update(readPage(home, page)).digest('hex') === page.sha256) return
  throw new StorageError(
    `landed page ${join(home, page.file)} is not what was received: its sha256 differs`,
    {
      hint: 'restore it from a backup; candlehouse raw verify names every page that differs',
    },
  )
}
