import { readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { systemEffects } from '../../src/effects.js'
import { journalledPages } from '../../src/land/journal.js'
import { compareRaw, isAsReceived, type KnownPage } from '../../src/land/loss.js'
import { looseMonths, packMonth } from '../../src/land/pack.js'
import { temporaryFolder } from '../support/folder.js'
import { landWalks } from '../support/landed.js'
import { candleWalk } from '../support/published.js'
import { refusing } from '../support/refusing.js'

const RUN = '20250301T120000000Z-aaaa'
const SYMBOLS = ['HPG', 'FPT', 'VCB', 'ACV']

/** A run with a page per symbol, and what a ledger knows of it. */
async function landedRun(): Promise<{ home: string; files: string[]; known: Map<string, KnownPage> }> {
  const home = temporaryFolder()
  const walks = SYMBOLS.map((symbol) => candleWalk(symbol, '2025-02-28', ['09:15:00']))
  await landWalks(home, walks, { run: RUN })
  const pages = journalledPages(home, RUN)
  const known = pages.map(({ id, window, walk, page, sha256, file }): [string, KnownPage] => [
    id,
    {
      request_id: id,
      dataset: window.dataset,
      walk,
      page,
      sha256,
      raw_file: file,
      query: '{}',
      received_on: '2025-03-01',
    },
  ])
  return { home, files: pages.map(({ file }) => file), known: new Map(known) }
}

test('a loaded page that is changed is lost like one that is gone; one that no ledger names is only unusable', async () => {
  const { home, files, known } = await landedRun()
  const [gone = '', changed = '', unknown = ''] = files
  rmSync(join(home, gone))
  for (const file of [changed, unknown]) writeFileSync(join(home, file), 'other')
  const ids = journalledPages(home, RUN).map(({ id }) => id)
  known.delete(ids[2] ?? '')
  const { losses, unusable, unloaded } = await compareRaw(home, [RUN], async () => known)
  expect(losses).toMatchObject([{ run: RUN, dataset: 'ohlc', pages: 2, example: gone }])
  expect([...unusable].sort()).toEqual(ids.slice(0, 3))
  expect(unloaded.map(({ file }) => file)).toEqual([unknown])
})

test('of an archive with a changed byte the page of that byte is lost; of one that is cut short all pages are', async () => {
  const { home, known } = await landedRun()
  const [month] = looseMonths(home, '2025-03')
  if (!month) throw new Error('nothing to pack')
  const steps = { onPage: () => undefined, signal: new AbortController().signal }
  const { archive } = await packMonth(home, month, steps, systemEffects)
  const file = join(home, archive?.archive ?? '')
  const compared = () => compareRaw(home, [RUN], async () => known)
  expect((await compared()).losses).toEqual([])
  const bytes = readFileSync(file)
  // Behind the header of the first page.
  bytes[600] = (bytes[600] ?? 0) ^ 0xff
  writeFileSync(file, bytes)
  expect((await compared()).losses).toMatchObject([{ pages: 1 }])
  truncateSync(file, 2000)
  expect((await compared()).losses).toMatchObject([{ pages: SYMBOLS.length }])
  // Who has read every page says what it found: nothing is read.
  expect(
    (
      await compareRaw(
        home,
        [RUN],
        async () => known,
        () => true,
      )
    ).losses,
  ).toEqual([])
})

test('a page that the system refuses to read is lost if its bytes are, and not if this user or this moment is the cause', async () => {
  const { home } = await landedRun()
  const [page] = journalledPages(home, RUN)
  if (!page) throw new Error('nothing landed')
  const look = async (code: string): Promise<boolean | string> => {
    const refusal = { code, nth: 1, folder: join(home, page.file) }
    const work = async () => isAsReceived(home, page)
    return await refusing(refusal, work).then(
      ({ value }) => value,
      (error: Error) => error.message,
    )
  }
  expect(isAsReceived(home, page)).toBe(true)
  for (const code of ['EIO', 'EISDIR']) expect([code, await look(code)]).toEqual([code, false])
  for (const code of ['EACCES', 'EPERM', 'EMFILE', 'ENFILE'])
    expect([code, await look(code)]).toEqual([code, expect.stringContaining('cannot read the landed page')])
})
