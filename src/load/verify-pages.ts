import { join } from 'node:path'
import { StorageError } from 'candlehouse-foundation/errors'
import { sha256 } from '../home/sha256.js'
import type { PageRecord } from '../land/journal.js'
import { pageBytes } from '../land/page-bytes.js'

/** Compares landed pages with their journal lines. @throws StorageError if one is missing or its SHA-256 differs */
export function verifyPages(home: string, pages: readonly PageRecord[]): void {
  for (const page of pages) verifyPage(home, page)
}

function verifyPage(home: string, page: PageRecord): void {
  if (sha256(pageBytes(home, page)) === page.sha256) return
  throw new StorageError(
    `landed page ${join(home, page.file)} is not what was received: its sha256 differs`,
    { hint: 'restore it from a backup; candlehouse raw verify names every page that differs' },
  )
}
