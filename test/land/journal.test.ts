import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { StorageError } from 'candlehouse-foundation/errors'
import { expect, test } from 'vitest'
import { systemEffects } from '../../src/effects.js'
import { journalFolder, journalledPages, openJournal, type PageRecord } from '../../src/land/journal.js'
import { refusal, SimulatedDisk } from '../simulate/disk.js'
import { temporaryFolder } from '../support/folder.js'

const page = (number: number): PageRecord =>
  ({
    id: `R1-${number}`,
    run: 'R1',
    walk: `R1-w${number}`,
    page: 1,
    sha256: '0'.repeat(64),
    end: null,
    window: { dataset: 'ohlc', key: 'FPT', timeframe: '1m', from: '2025-03-14', to: '2025-03-14' },
    file: `raw/ohlc/R1/R1-${number}.json.gz`,
  }) as PageRecord
const bytes = (number: number): Buffer => Buffer.from(`page ${number}`)

test('a journal that cannot be written is a matter of storage, not a bug', async () => {
  const home = temporaryFolder()
  mkdirSync(join(journalFolder(home), 'R1.ndjson'), { recursive: true })
  const journal = await openJournal(home, 'R1', systemEffects)
  const error: unknown = await journal.land(page(1), bytes(1)).catch((cause: unknown) => cause)
  expect(error).toBeInstanceOf(StorageError)
  expect(error).toMatchObject({ exitCode: 6, hint: 'move the folder away, then run the same command again' })
  await journal.close()
})

test.each(['write', 'syncData'] as const)(
  'a page whose line the disk refuses to %s has not landed',
  async (kind) => {
    const home = temporaryFolder()
    const disk = new SimulatedDisk({
      onStep: (step) => {
        if (step.kind === kind && step.path.endsWith('.ndjson') && step.moment === 'before')
          throw refusal('EIO', step)
      },
    })
    const journal = await openJournal(home, 'R1', { ...systemEffects, disk })
    const error: unknown = await journal.land(page(1), bytes(1)).catch((cause: unknown) => cause)
    expect(error).toBeInstanceOf(StorageError)
    await journal.close()
    disk.close()
  },
)

test('pages that come together, and while others are landed, are all in their files and in the journal', async () => {
  const home = temporaryFolder()
  const journal = await openJournal(home, 'R1', systemEffects)
  const land = async (number: number): Promise<void> => {
    await journal.land(page(number), bytes(number))
    const landed = journalledPages(home, 'R1').map(({ id }) => id)
    expect(landed).toContain(`R1-${number}`)
    if (number <= 24) await land(number + 8)
  }
  await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map(land))
  await journal.close()
  const numbers = Array.from({ length: 32 }, (_, index) => index + 1)
  expect(journalledPages(home, 'R1').map(({ id }) => id)).toEqual(numbers.map((number) => `R1-${number}`))
  for (const number of numbers) expect(readFileSync(join(home, page(number).file))).toEqual(bytes(number))
})

test('where one page of a group cannot be written, no page of it is journalled; the next group is landed', async () => {
  const home = temporaryFolder()
  const journal = await openJournal(home, 'R1', systemEffects)
  mkdirSync(join(home, `${page(2).file}.tmp`), { recursive: true })
  const results = await Promise.allSettled(
    [1, 2, 3].map((number) => journal.land(page(number), bytes(number))),
  )
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  expect(results.map((result) => result.status === 'rejected' && result.reason)).toEqual(
    results.map(() => expect.any(StorageError)),
  )
  expect(existsSync(join(home, `${page(1).file}.tmp`))).toBe(false)
  await journal.land(page(4), bytes(4))
  await journal.close()
  expect(journalledPages(home, 'R1').map(({ id }) => id)).toEqual(['R1-4'])
})
