import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readStatus } from '../../src/read/index.js'
import { temporaryFolder } from '../support/folder.js'
import { loadWalks, openTestWarehouse } from '../support/landed.js'
import { candleWalk, evening, limitWalk, publishTest } from '../support/published.js'

const nothing = {
  publication: null,
  datasets: [],
  gaps: [],
  gapCount: 0,
  quarantined: 0,
  drift: [],
  keys: [],
  lastRequestAt: null,
  idleDays: null,
  expiring: [],
  withheld: [],
  findings: null,
  lastRun: null,
  killedRun: null,
  conclusion: null,
  bucket: null,
}

describe('status', () => {
  test('of an empty home is empty', async () => {
    expect(await readStatus(temporaryFolder(), evening())).toEqual(nothing)
  })

  test('of a home that does not exist is the same', async () => {
    expect(await readStatus(join(temporaryFolder(), 'none'), evening())).toEqual(nothing)
  })

  test('shows a last run that failed before anything was published', async () => {
    const home = temporaryFolder()
    mkdirSync(join(home, 'logs'))
    const summary = { job: 'nightly', exitCode: 5, notes: ['the service gave up'] }
    writeFileSync(join(home, 'logs', 'last-run.json'), JSON.stringify(summary))
    expect(await readStatus(home, evening())).toEqual({ ...nothing, lastRun: summary })
  })

  test('of a published home shows freshness, coverage, gaps and quarantine', async () => {
    const home = temporaryFolder()
    const warehouse = await openTestWarehouse(home)
    const unreadable = ['09:15:00', 'x', '1', '1', '1', '1', '1'] as const
    await loadWalks(warehouse, home, [
      limitWalk('2025-03-13', 'HPG', 'FPT'),
      limitWalk('2025-03-14', 'HPG', 'FPT'),
      candleWalk('HPG', '2025-03-13', ['09:15:00']),
      candleWalk('HPG', '2025-03-14', [unreadable, unreadable]),
      { ...candleWalk('FPT', '2025-03-14', []), end: { state: 'empty', reason: null } },
      {
        ...candleWalk('VNM', '2024-03-14', []),
        end: { state: 'refused', reason: '400 older than one year' },
      },
      { ...candleWalk('FPT', '2025-03-13', []), end: { state: 'incomplete', reason: 'page 2 never came' } },
    ])
    const effects = evening()
    await publishTest(warehouse, home, effects)
    effects.advance(90_400)
    expect(await readStatus(home, effects)).toEqual({
      publication: { id: 1, publishedAt: '2025-06-30T12:00:00Z', ageSeconds: 90 },
      datasets: [
        {
          dataset: 'masterdata',
          timeframe: '',
          from: '2025-03-13',
          to: '2025-03-14',
          keys: 1,
          complete: 2,
          empty: 0,
          incomplete: 0,
          refused: 0,
          imported: 0,
          nextExpiry: null,
        },
        {
          dataset: 'ohlc',
          timeframe: '1m',
          from: '2024-03-14',
          to: '2025-03-14',
          keys: 3,
          complete: 1,
          empty: 1,
          incomplete: 2,
          refused: 1,
          imported: 0,
          nextExpiry: '2026-03-14',
        },
      ],
      gaps: [
        { dataset: 'ohlc', key: 'FPT', timeframe: '1m', day: '2025-03-13', reason: 'page 2 never came' },
        {
          dataset: 'ohlc',
          key: 'HPG',
          timeframe: '1m',
          day: '2025-03-14',
          reason: '2 records rejected: field open',
        },
      ],
      gapCount: 2,
      quarantined: 2,
      drift: [],
      keys: [],
      lastRequestAt: '2025-06-30T12:00:00Z',
      idleDays: 0,
      expiring: [],
      withheld: [],
      findings: null,
      lastRun: null,
      killedRun: null,
      conclusion: null,
      bucket: null,
    })
  })

  test('shows the gaps that expire first, and counts all', async () => {
    const home = temporaryFolder()
    const warehouse = await openTestWarehouse(home)
    const symbols = Array.from({ length: 25 }, (_, index) => `S${String(index).padStart(2, '0')}`)
    const end = { state: 'incomplete', reason: 'page 2 never came' } as const
    await loadWalks(warehouse, home, [
      ...symbols.map((symbol) => ({ ...candleWalk(symbol, '2025-03-14', []), end })),
      { ...candleWalk('LATE', '2024-03-14', [], '1d'), end },
      { ...candleWalk('SOON', '2025-03-13', []), end },
    ])
    await publishTest(warehouse, home)
    const { gaps, gapCount } = await readStatus(home, evening())
    expect(gapCount).toBe(27)
    expect(gaps).toHaveLength(20)
    expect(gaps.slice(0, 3).map((gap) => gap.key)).toEqual(['SOON', 'S00', 'S01'])
  })

  test('shows published data only, not data that is only loaded', async () => {
    const home = temporaryFolder()
    const warehouse = await openTestWarehouse(home)
    await loadWalks(warehouse, home, [limitWalk('2025-03-13', 'HPG')])
    await publishTest(warehouse, home)
    await loadWalks(warehouse, home, [limitWalk('2025-03-14', 'HPG')])
    expect((await readStatus(home, evening())).datasets).toMatchObject([{ to: '2025-03-13', complete: 1 }])
  })
})
