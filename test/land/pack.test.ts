import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { systemEffects } from '../../src/effects.js'
import { archivesFile, readRawIndex } from '../../src/land/archives.js'
import { journalledPages, journalledRuns } from '../../src/land/journal.js'
import { looseMonths, type PackedMonth, packMonth } from '../../src/land/pack.js'
import { pageBytes, withPageFiles } from '../../src/land/page-bytes.js'
import { temporaryFolder } from '../support/folder.js'
import { landWalks } from '../support/landed.js'
import { candleWalk } from '../support/published.js'

/** A home with pages of two symbols for each day. */
async function landedHome(days: readonly string[]): Promise<string> {
  const home = temporaryFolder()
  for (const day of days) {
    const walks = ['HPG', 'FPT'].map((symbol) => candleWalk(symbol, day, ['09:15:00']))
    await landWalks(home, walks, { run: `${day.replaceAll('-', '')}T120000000Z-0001`, tradingDate: day })
  }
  return home
}

async function packBefore(home: string, month: string): Promise<PackedMonth[]> {
  const packed: PackedMonth[] = []
  const steps = { onPage: () => undefined, signal: new AbortController().signal }
  for (const loose of looseMonths(home, month))
    packed.push(await packMonth(home, loose, steps, { ...systemEffects, now: () => 0 }))
  return packed
}

/** Path → bytes of every page that the journals name, wherever it stands. */
function pagesOf(home: string): Map<string, string> {
  const pages = journalledRuns(home).flatMap((run) => journalledPages(home, run))
  return new Map(pages.map((page) => [page.file, pageBytes(home, page).toString('base64')]))
}

const DAYS = ['2025-02-27', '2025-02-28', '2025-03-03', '2025-03-04']

describe('packing raw pages', () => {
  test('a closed month becomes one archive that tar opens; every page stays byte-exact; later months stay files', async () => {
    const home = await landedHome(DAYS)
    const before = pagesOf(home)
    const files = new Map([...before.keys()].map((file) => [file, readFileSync(join(home, file))]))
    const packed = await packBefore(home, '2025-03')
    expect(packed).toMatchObject([
      { archive: { archive: 'raw/ohlc/archive-2025-02.tar', pages: 4 }, removed: 4, damaged: [] },
    ])
    expect(pagesOf(home)).toEqual(before)
    expect(readdirSync(join(home, 'raw/ohlc'))).toEqual([
      '20250303T120000000Z-0001',
      '20250304T120000000Z-0001',
      'archive-2025-02.tar',
    ])
    const elsewhere = temporaryFolder()
    execFileSync('tar', ['-xf', join(home, 'raw/ohlc/archive-2025-02.tar'), '-C', elsewhere])
    const extracted = [...files].filter(([file]) => file.includes('202502'))
    expect(extracted.length).toBe(4)
    for (const [file, bytes] of extracted) expect(readFileSync(join(elsewhere, file))).toEqual(bytes)
  })

  test('a reader that needs files gets archived pages in the temporary folder, which is removed', async () => {
    const home = await landedHome(DAYS)
    await packBefore(home, '2025-04')
    const pages = journalledRuns(home).flatMap((run) => journalledPages(home, run))
    await withPageFiles(home, pages, async (fileOf) => {
      for (const page of pages) expect(readFileSync(fileOf(page))).toEqual(pageBytes(home, page))
    })
    expect(readdirSync(join(home, 'tmp'))).toEqual([])
  })

  test('pages that come after a month was packed make a further archive', async () => {
    const home = await landedHome(DAYS)
    await packBefore(home, '2025-03')
    const walk = candleWalk('VNM', '2025-02-28', ['09:15:00'])
    await landWalks(home, [walk], { run: '20250310T120000000Z-0001', tradingDate: '2025-02-28' })
    const before = pagesOf(home)
    expect(await packBefore(home, '2025-03')).toMatchObject([
      { archive: { archive: 'raw/ohlc/archive-2025-02.2.tar', pages: 1 } },
    ])
    expect(pagesOf(home)).toEqual(before)
    expect(await packBefore(home, '2025-03')).toEqual([])
  })

  test('a page that is not what was received stays a file and is named; the others are packed', async () => {
    const home = await landedHome(DAYS)
    const [file = ''] = [...pagesOf(home).keys()]
    writeFileSync(join(home, file), 'other')
    const [packed] = await packBefore(home, '2025-03')
    expect(packed?.damaged).toEqual([{ path: file, wrong: 'changed: its SHA-256 differs from the journal' }])
    expect(packed?.archive?.pages).toBe(3)
    expect(readFileSync(join(home, file), 'utf8')).toBe('other')
  })

  test('an archive that was not named before the kill is written again; pages that are in both go', async () => {
    const home = await landedHome(DAYS)
    const before = pagesOf(home)
    const [file = ''] = [...before.keys()]
    const copy = temporaryFolder()
    cpSync(home, copy, { recursive: true })
    await packBefore(home, '2025-03')
    const index = readFileSync(archivesFile(home))
    // Between the rename and the line.
    cpSync(join(home, 'raw/ohlc/archive-2025-02.tar'), join(copy, 'raw/ohlc/archive-2025-02.tar'))
    await packBefore(copy, '2025-03')
    expect(readFileSync(archivesFile(copy))).toEqual(index)
    expect(pagesOf(copy)).toEqual(before)
    // Between the line and the last removed page.
    mkdirSync(dirname(join(home, file)), { recursive: true })
    writeFileSync(join(home, file), Buffer.from(before.get(file) ?? '', 'base64'))
    await packBefore(home, '2025-03')
    expect(existsSync(join(home, file))).toBe(false)
    expect(readRawIndex(home).archives).toHaveLength(1)
    expect(pagesOf(home)).toEqual(before)
  })

  test('a page that is in no file and no archive is gone, by name', async () => {
    const home = await landedHome(DAYS)
    await packBefore(home, '2025-03')
    const [file = ''] = [...pagesOf(home).keys()]
    rmSync(join(home, 'raw/ohlc/archive-2025-02.tar'))
    expect(() => pageBytes(home, { file })).toThrow(/cannot read the archive .*archive-2025-02.tar/)
  })
})

test('a deletion makes the archives of its dataset and month obsolete, and no other', () => {
  const home = temporaryFolder()
  const archive = (dataset: string, month: string): object => ({
    kind: 'archive',
    archive: `raw/${dataset}/archive-${month}.tar`,
    dataset,
    month,
    runs: ['r'],
    pages: 1,
    bytes: 1,
    sha256: '',
    packed_at: '2025-04-01T00:00:00Z',
  })
  const deletion = {
    kind: 'deleted',
    dataset: 'ohlc',
    month: '2025-02',
    runs: ['r'],
    pages: 1,
    from: '2025-02-03',
    to: '2025-02-28',
    deleted_at: '2025-04-02T00:00:00Z',
  }
  const lines = [
    archive('ohlc', '2025-02'),
    archive('ohlc', '2025-03'),
    archive('masterdata', '2025-02'),
    deletion,
  ]
  mkdirSync(join(home, 'raw'))
  writeFileSync(archivesFile(home), lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  const { archives, obsolete } = readRawIndex(home)
  const names = (some: typeof archives): string[] => some.map(({ dataset, month }) => `${dataset} ${month}`)
  expect(names(obsolete)).toEqual(['ohlc 2025-02'])
  expect(names(archives)).toEqual(['ohlc 2025-03', 'masterdata 2025-02'])
})

/** Pages of the month that is packed. */
const pagesOfArchive = (home: string) =>
  journalledRuns(home)
    .flatMap((run) => journalledPages(home, run))
    .filter(({ trading_date }) => trading_date?.startsWith('2025-02'))

test('a damaged archive is scanned once for all of its pages, and again once it has been put back', async () => {
  const home = await landedHome(DAYS)
  await packBefore(home, '2025-03')
  const archive = join(home, 'raw/ohlc/archive-2025-02.tar')
  const whole = readFileSync(archive)
  writeFileSync(archive, whole.subarray(0, 700))
  const thrown = pagesOfArchive(home).map((page) => {
    try {
      return pageBytes(home, page)
    } catch (error) {
      return error
    }
  })
  expect(thrown).toHaveLength(4)
  expect(thrown[0]).toMatchObject({ message: expect.stringContaining('archive-2025-02.tar') })
  for (const error of thrown) expect(error).toBe(thrown[0])
  writeFileSync(archive, whole)
  expect(pagesOf(home).size).toBe(8)
})
