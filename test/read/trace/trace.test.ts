import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../../src/duckdb/open.js'
import { loadSnapshot } from '../../../src/load/account/load-snapshot.js'
import { type Trace, traceRow } from '../../../src/read/index.js'
import { say } from '../../cli/support/program.js'
import { temporaryFolder } from '../../support/folder.js'
import { landParts, loadWalks, openTestWarehouse } from '../../support/landed.js'
import { candleWalk, limitWalk, publishTest, summaryWalk } from '../../support/published.js'
import { withdrawRows } from '../../support/withdrawn.js'

const DAY = '2025-03-14'

/** Price limits of two symbols, bars of one; the second night restates a bar and takes a symbol back. */
async function world(): Promise<{ home: string; warehouse: Database }> {
  const home = temporaryFolder()
  const warehouse = await openTestWarehouse(home)
  const bars = ['09:15:00', '09:16:00', '09:17:00', '09:20:00']
  const first = [limitWalk(DAY, 'FPT', "O'X", 'GONE'), candleWalk('FPT', DAY, bars), summaryWalk(DAY, 'FPT')]
  await loadWalks(warehouse, home, first, { run: 'R1', receivedAt: '2025-03-14T11:30:00.000Z' })
  const restated = ['09:15:00', '27000', '27100', '26950', '27060', '1200', '32460000'] as const
  await loadWalks(
    warehouse,
    home,
    [limitWalk(DAY, 'FPT', "O'X"), candleWalk('FPT', DAY, [restated, ...bars.slice(1)])],
    { run: 'R2', receivedAt: '2025-03-17T11:30:00.000Z' },
  )
  const gone = { dataset: 'masterdata', symbol: 'GONE', day: DAY } as const
  await withdrawRows(warehouse, [gone], '2025-03-17T11:30:00.000Z')
  await warehouse.run(
    `INSERT INTO ops.run BY NAME SELECT 'R2' AS run_id, 'nightly' AS job, DATE '2025-03-14' AS trading_date, 0 AS exit_code`,
  )
  return { home, warehouse }
}

/** A rule that two bars break. */
async function breakRule(warehouse: Database): Promise<void> {
  await warehouse.run(`INSERT INTO recon.finding BY NAME SELECT 2 AS rule, 'prices lie within the limits' AS title,
    'market' AS subject, DATE '${DAY}' AS trading_date, 'error' AS severity, 'break' AS state, 'R2' AS run_id`)
  for (const at of ['02:17', '02:20'])
    await warehouse.run(`INSERT INTO recon.offender BY NAME SELECT 2 AS rule, 'market' AS subject, DATE '${DAY}' AS trading_date,
      'market.candle' AS relation, '{"symbol":"FPT","timeframe":"1m","opened_at":"${DAY}T${at}:00Z"}' AS key, 'break' AS state, '${at}' AS actual`)
  await warehouse.run(
    `INSERT INTO ops.dirty_partition VALUES ('recon.finding', '2025-03'), ('recon.offender', '2025-03')`,
  )
}

/** Two snapshots of an account, which has sold a symbol by the second. */
async function loadAccount({ home, warehouse }: Awaited<ReturnType<typeof world>>): Promise<void> {
  const suffixes = { broker: 'Broker', depository: 'Depository' }
  for (const [run, quantity] of [
    ['20250313T120000000Z-0001', '1'],
    ['20250314T120000000Z-0001', '2'],
  ] as const) {
    const equity = [
      { accountNo: '0881', symbol: 'FPT', quantity },
      ...(quantity === '1' ? [{ accountNo: '0881', symbol: 'OLD', quantity }] : []),
    ]
    const walks = await landParts(
      home,
      [
        {
          part: 'accountInfo',
          account: '',
          key: '*',
          bodies: [[{ accountNo: '0881', accountType: 'CASH' }]],
        },
        { part: 'position', account: '0881', bodies: [{ data: { equity, derivative: null } }] },
      ],
      { run, tradingDate: `${run.slice(0, 4)}-${run.slice(4, 6)}-${run.slice(6, 8)}` },
    )
    await loadSnapshot(warehouse, home, walks, { verify: true, suffixes })
  }
}

async function published(): Promise<string> {
  const { home, warehouse } = await world()
  await breakRule(warehouse)
  await loadAccount({ home, warehouse })
  await publishTest(warehouse, home)
  return home
}

/** For all tests that leave the warehouse alone; the last ones damage a raw page. */
let home: string
beforeAll(async () => {
  home = await published()
})

const bar = (home: string, ...key: string[]): Promise<Trace> => traceRow(home, 'market.candle', key)

describe('a trace', () => {
  test('leads from a row to its page, record, run and former values', async () => {
    const trace = await bar(home, 'FPT', '1m', '2025-03-14T09:15')
    expect(trace.row).toMatchObject({ close: '27060.000000', is_derived: false, request_id: 'R2-000002' })
    expect(trace.page).toMatchObject({ endpoint: 'ohlc', status: 200, received_at: '2025-03-17T11:30:00Z' })
    expect(trace.raw).toEqual({
      file: 'raw/ohlc/R2/R2-000002.json.gz',
      state: 'as landed',
      sha256: trace.page?.sha256,
    })
    expect(trace.record).toEqual({
      text: '{"symbol":"FPT","tradingDate":"2025/03/14 09:15:00","open":"27000","high":"27100","low":"26950","close":"27060","volume":"1200","value":"32460000"}',
      position: 1,
      of: 4,
    })
    expect(trace.body).toBeNull()
    expect(trace.run).toMatchObject({ run_id: 'R2', job: 'nightly', exit_code: 0 })
    expect(trace.revisions).toEqual([
      {
        column: 'close',
        old: '27050.000000',
        new: '27060.000000',
        request_id: 'R2-000002',
        observed_at: '2025-03-17T11:30:00Z',
        known_since: '2025-03-14T11:30:00Z',
      },
    ])
    expect(trace.findings).toEqual([])
    // The other bars came with the first night, which is not in the ledger of runs.
    const other = await bar(home, '{"symbol":"FPT","timeframe":"1m","opened_at":"2025-03-14T02:16:00Z"}')
    expect(other).toMatchObject({ page: { request_id: 'R1-000002' }, run: null, revisions: [] })
  })

  test('of a derived candle lists its bars and their pages', async () => {
    const trace = await bar(home, 'FPT', '5m', '2025-03-14 09:15:00+07')
    expect(trace).toMatchObject({ page: null, raw: null, record: null, row: { is_derived: true } })
    expect(trace.derivedFrom?.bars.map((each) => each.request_id)).toEqual([
      'R2-000002',
      'R1-000002',
      'R1-000002',
    ])
    expect(trace.derivedFrom?.pages.map((page) => page.raw_file)).toEqual([
      'raw/ohlc/R1/R1-000002.json.gz',
      'raw/ohlc/R2/R2-000002.json.gz',
    ])
  })

  test('of a derived daily bar shows its summary and the page of that', async () => {
    const trace = await bar(home, 'FPT', '1d', '2025-03-14 00:00:00+07')
    expect(trace).toMatchObject({ page: null, row: { is_derived: true } })
    expect(trace.derivedFrom).toMatchObject({
      bars: [],
      summary: { symbol: 'FPT', total_match: trace.row.volume, close: trace.row.close },
      pages: [{ dataset: 'securitiesSummary' }],
    })
  })

  test('lists the rules that the row breaks', async () => {
    const { findings } = await bar(home, 'FPT', '1m', '2025-03-14T09:17')
    expect(findings).toMatchObject([
      { rule: 2, title: 'prices lie within the limits', state: 'break', actual: '02:17' },
    ])
    const { out } = await say(
      ['trace', '--home', home, 'market.candle', 'FPT', '1m', '2025-03-14T09:17'],
      home,
    )
    expect(out).toContain('rule 2 (error, break): prices lie within the limits')
  })

  test('of an account uses its latest snapshot if the key names none', async () => {
    const latest = await traceRow(home, 'account.equity_position', ['0881', 'FPT'])
    expect(latest).toMatchObject({ row: { quantity: '2' }, key: { snapshot_id: '20250314T120000000Z-0001' } })
    expect(latest.record?.text).toBe('{"accountNo":"0881","symbol":"FPT","quantity":"2"}')
    const before = await traceRow(home, 'account.equity_position', [
      '20250313T120000000Z-0001',
      '0881',
      'FPT',
    ])
    expect(before.row).toMatchObject({ quantity: '1' })
    await expect(traceRow(home, 'account.equity_position', ['0881', 'OLD'])).rejects.toMatchObject({
      message: expect.stringContaining('nearest 20250313T120000000Z-0001'),
      hint: 'candlehouse trace account.equity_position 20250313T120000000Z-0001 0881 OLD',
    })
  })
})

describe('candlehouse trace', () => {
  const limit = async (home: string, ...key: string[]) =>
    await say(['trace', '--home', home, 'market.price_limit', ...key], home)

  test('shows the columns of a key, the relations, and the nearest rows for a key without a row', async () => {
    const naming = await limit(home)
    expect(naming.out).toBe(
      `The key of market.price_limit is\n  symbol        VARCHAR\n  trading_date  DATE\n\nExample\n  candlehouse trace --home ${home} market.price_limit FPT ${DAY}\n`,
    )
    const wrongs: [string[], string, string][] = [
      [
        ['market.nothing'],
        'there is no relation market.nothing: use one of market.security, ',
        'candlehouse trace market.daily_summary',
      ],
      [
        ['mart.daily', 'FPT'],
        'mart.daily is a view, computed from market.daily_summary, market.price_limit',
        'candlehouse trace market.daily_summary',
      ],
      [[], 'no relation given: use one of market.security, ', 'candlehouse trace market.daily_summary'],
      [
        ['market.price_limit', 'FPT'],
        'the key has 2 parts, not 1: the key of market.price_limit is symbol, trading_date',
        `candlehouse trace market.price_limit FPT ${DAY}`,
      ],
      [
        ['market.price_limit', 'FTP', DAY],
        `there is no row in market.price_limit with symbol FTP, trading_date ${DAY}; nearest symbol: FPT, O'X`,
        `candlehouse trace market.price_limit FPT ${DAY}`,
      ],
      [
        ['market.price_limit', 'FPT', '2025-03-20'],
        `symbol FPT: trading_date is stored from ${DAY} to ${DAY}, nearest ${DAY}`,
        `candlehouse trace market.price_limit FPT ${DAY}`,
      ],
      [
        ['market.price_limit', 'GONE', DAY],
        'no longer has a row with symbol GONE, trading_date 2025-03-14: the service withdrew it (seen at 2025-03-17 18:30:00 UTC+7)',
        `candlehouse sql "select key, old, request_id from market.revision where relation = 'market.price_limit'`,
      ],
      [
        ['market.candle', 'FPT', '1m', '2025-03-14T09:18'],
        'nearest 2025-03-14T09:17 and 2025-03-14T09:20',
        'candlehouse trace market.candle FPT 1m 2025-03-14T09:17',
      ],
    ]
    for (const [words, message, hint] of wrongs) {
      const { code, err } = await say(['trace', '--home', home, ...words], home)
      expect({ words, code }).toEqual({ words, code: 2 })
      expect(err).toContain(message)
      expect(err.replace(` --home ${home}`, '')).toContain(`next: ${hint}`)
    }
    expect((await limit(home, "O'X", DAY)).out).toContain(`"symbol":"O'X"`)
    expect((await say(['trace', '--home', temporaryFolder(), 'market.candle'], home)).code).toBe(6)
  })

  test('shows the ledger entry if the raw page is missing, and warns if the raw page was changed', async () => {
    const file = join(home, 'raw/masterdata/R1/R1-000001.json.gz')
    renameSync(file, `${file}.away`)
    const gone = await limit(home, 'FPT', DAY)
    expect(gone.out).toContain('missing: raw/masterdata/R1/R1-000001.json.gz does not exist in the home')
    expect(gone.out).toContain('endpoint     masterdata')

    const other = [{ symbol: 'FPT', tradingDate: '2025/03/14', ceiling: '1' }]
    writeFileSync(file, gzipSync(JSON.stringify({ data: other })))
    const forged = await limit(home, 'FPT', DAY, '--json')
    expect(forged.err).toMatch(
      /R1-000001\.json\.gz WAS CHANGED AFTER IT WAS LANDED: its SHA-256 is \w{64}, the ledger has \w{64}/,
    )
    expect(JSON.parse(forged.out)).toMatchObject({ raw: { state: 'differs' }, record: { position: 1 } })
    expect(forged.code).toBe(6)
    expect((await limit(home, 'FPT', DAY)).out).toContain('!!! raw/masterdata')
  })

  test('shows the whole page if the record cannot be identified', async () => {
    const file = join(home, 'raw/masterdata/R1/R1-000001.json.gz')
    writeFileSync(file, gzipSync(JSON.stringify({ data: ['no', 'records', 'x'.repeat(3000)] })))
    const { out } = await limit(home, 'FPT', DAY)
    expect(out).toContain('Page as received: the record of this row could not be identified')
    expect(out).toContain('… 3,028 characters in total: gzip -dc raw/masterdata/R1/R1-000001.json.gz')
    writeFileSync(file, 'no gzip')
    expect(await traceRow(home, 'market.price_limit', ['FPT', DAY])).toMatchObject({
      raw: { state: 'differs' },
      record: null,
    })
  })
})
