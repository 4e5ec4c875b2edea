import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { StorageError } from '../../src/errors.js'
import { journalFolder, openJournal, type PageRecord } from '../../src/land/journal.js'
import { temporaryFolder } from '../support/folder.js'

test('a journal that cannot be written is a matter of storage, not a bug', async () => {
  const home = temporaryFolder()
  mkdirSync(join(journalFolder(home), 'R1.ndjson'), { recursive: true })
  const journal = await openJournal(home, 'R1')
  const record = { id: 'R1-000001', file: 'raw/page.json.gz' } as PageRecord
  const error: unknown = await journal.append(record).catch((cause: unknown) => cause)
  expect(error).toBeInstanceOf(StorageError)
  expect(error).toMatchObject({ exitCode: 6, hint: 'move the folder away, then run the same command again' })
  await journal.close()
})
