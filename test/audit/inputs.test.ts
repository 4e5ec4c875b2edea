import { loadCalendar } from 'candlehouse-foundation/market/calendar'
import { beforeAll, describe, expect, test } from 'vitest'
import { audit, overrideBreaks } from '../../src/audit/index.js'
import { type Kind, readSessionInputs, readSnapshotInputs } from '../../src/audit/inputs.js'
import { emptyUnrecorded, prepareAccounts, prepareSessions } from '../../src/audit/prepare.js'
import { readRules } from '../../src/audit/rule.js'
import type { Database } from '../../src/duckdb/open.js'
import { sqlFile, sqlFiles } from '../../src/duckdb/sqlfile.js'
import { martObjects } from '../../src/mart/objects.js'
import { relations } from '../../src/relations.js'
import { fakeEffects } from '../support/effects.js'
import { temporaryFolder } from '../support/folder.js'
import { balance, former, order, position, snapshot } from './accounts.js'
import {
  bar,
  covered,
  day,
  type Given,
  index,
  limit,
  minute,
  SESSION,
  SESSION_BEFORE,
  security,
  warehouseOf,
} from './world.js'

const LONG_BEFORE = '2025-01-20'
const page = { request_id: 'r-000001' }

/** Two sessions, and one that is further back than rules look. */
const market: Given = {
  'market.daily_summary': [LONG_BEFORE, SESSION_BEFORE, SESSION].map((trading_date) =>
    day({ trading_date, ...page }),
  ),
  'market.price_limit': [SESSION_BEFORE, SESSION].map((trading_date) => limit({ trading_date, ...page })),
  'market.index_summary': [SESSION_BEFORE, SESSION].map((trading_date) => index({ trading_date, ...page })),
  'market.candle': [bar(page), minute('09:15', page), minute('09:16', page)],
  'market.index_member': [{ index_code: 'VN30', symbol: 'HPG', valid_from: '2025-01-02' }],
  'market.security': [security()],
  'ops.coverage': [covered('securitiesSummary'), covered('masterdata')],
  'ops.request': [{ request_id: 'r-000001', walk: 'w', page: '1', row_count: '1', items_count: '1' }],
}

const account: Given = {
  ...market,
  'account.snapshot': [snapshot(), former()],
  'account.equity_position': [position()],
  'account.equity_balance': [balance()],
  'account.order_book': [order()],
}

async function inputsOf(database: Database, kind: Kind): Promise<string> {
  await emptyUnrecorded(database)
  await (kind === 'session' ? prepareSessions(database, [SESSION]) : prepareAccounts(database, SESSION))
  const read = kind === 'session' ? readSessionInputs : readSnapshotInputs
  const [inputs] = await read(database, 'version', [])
  return inputs?.inputs ?? ''
}

/** Relations of the warehouse that a text names, and those of the macros and views of schema mart that it uses. */
function relationsOf(text: string, seen = new Set<string>()): string[] {
  const plain = text.replace(/^\s*--.*$/gm, '')
  const named = [...plain.matchAll(/\b(?:market|account|ops)\.[a-z_]+/g)]
    .map(([name]) => name)
    .filter((name) => name in relationNames)
  const used = martObjects().filter(({ name }) => !seen.has(name) && plain.includes(`mart.${name}`))
  for (const { name } of used) seen.add(name)
  return [...new Set([...named, ...used.flatMap((object) => relationsOf(object.text, seen))])].sort()
}
const relationNames = Object.fromEntries(relations.map(({ name }) => [name, true]))

function sqlOf(...folders: string[]): string {
  return folders.flatMap((folder) => sqlFiles(folder).map((name) => sqlFile(`${folder}/${name}`))).join('\n')
}

describe('every relation that a rule reads is among the inputs', () => {
  const inputsFor = (kind: Kind, ...prepared: string[]): string[] =>
    relationsOf(`${sqlFile(`audit/inputs/${kind}.sql`)}\n${sqlOf(...prepared)}`)
  const read = (isMarket: boolean): string =>
    readRules()
      .filter(({ about }) => (about === 'market') === isMarket)
      .map(({ query }) => query)
      .join('\n')

  test('of sessions', () => {
    const relationsRead = relationsOf(
      `${read(true)}\n${sqlOf('audit', 'audit/answer', 'audit/market', 'audit/bar')}`,
    )
    expect(inputsFor('session', 'audit', 'audit/answer')).toEqual(expect.arrayContaining(relationsRead))
    expect(relationsRead.length).toBeGreaterThan(7)
  })

  test('of snapshots', () => {
    const relationsRead = relationsOf(`${read(false)}\n${sqlOf('audit', 'audit/account')}`)
    expect(inputsFor('snapshot', 'audit', 'audit/account')).toEqual(expect.arrayContaining(relationsRead))
    expect(relationsRead.length).toBeGreaterThan(12)
  })
})

type Change = readonly [what: string, statement: string]

/**
 * Statements one after another: the inputs before each and after it.
 */
async function inputsAround(
  given: Given,
  kind: Kind,
  changes: readonly Change[],
): Promise<Map<string, readonly [before: string, after: string]>> {
  const database = await warehouseOf(given)
  const around = new Map<string, readonly [string, string]>()
  let before = await inputsOf(database, kind)
  for (const [what, statement] of changes) {
    await database.run(statement)
    const after = await inputsOf(database, kind)
    around.set(what, [before, after])
    before = after
  }
  return around
}

describe('what is read of a session changes', () => {
  const CHANGES: readonly Change[] = [
    [
      'a restated summary',
      `UPDATE market.daily_summary SET request_id = 'r-000002' WHERE trading_date = '${SESSION}'`,
    ],
    [
      'a restated summary of the session before',
      `UPDATE market.daily_summary SET request_id = 'r-000002' WHERE trading_date = '${SESSION_BEFORE}'`,
    ],
    ['a bar that is gone', `DELETE FROM market.candle WHERE opened_at = '${SESSION} 09:16:00+07'`],
    ['price limits that are gone', `DELETE FROM market.price_limit WHERE trading_date = '${SESSION}'`],
    ['an index that came back otherwise', `UPDATE market.index_summary SET request_id = 'r-000002'`],
    [
      'a window that is not complete any more',
      `UPDATE ops.coverage SET state = 'incomplete' WHERE dataset = 'masterdata'`,
    ],
    [
      'minutes of an earlier session that came later',
      `INSERT INTO ops.coverage (dataset, key, timeframe, window_from, window_to, state, row_count)
       VALUES ('ohlc', 'HPG', '1m', '${SESSION_BEFORE}', '${SESSION_BEFORE}', 'complete', 2)`,
    ],
    [
      'an earlier session on which a symbol had no bars',
      `INSERT INTO ops.coverage (dataset, key, timeframe, window_from, window_to, state, row_count)
       VALUES ('ohlc', 'FPT', '1d', '${SESSION_BEFORE}', '${SESSION_BEFORE}', 'empty', 0)`,
    ],
    ['a page that counts otherwise', `UPDATE ops.request SET items_count = 2`],
    ['a list that has the symbol on another board', `UPDATE market.security_history SET board = 'HNX'`],
    ['an index that has lost a member', `UPDATE market.index_member SET valid_to = '${SESSION}'`],
  ]
  const OTHERS: readonly Change[] = [
    [
      'a session beyond the reach of all rules',
      `DELETE FROM market.daily_summary WHERE trading_date = '${LONG_BEFORE}'`,
    ],
    [
      'a later session',
      `INSERT INTO market.daily_summary BY NAME SELECT * REPLACE (DATE '2025-03-17' AS trading_date) FROM market.daily_summary WHERE trading_date = '${SESSION}'`,
    ],
    [
      'a symbol that is listed later',
      `INSERT INTO market.security_history (symbol, board, first_trading_date, valid_from) VALUES ('NEW', 'HOSE', '2025-03-17', '2025-03-17')`,
    ],
    [
      'the same answer, asked for again',
      `UPDATE ops.coverage SET request_id = 'r-000003'; UPDATE ops.request SET request_id = 'r-000003', walk = 'v'`,
    ],
  ]
  let around: Awaited<ReturnType<typeof inputsAround>>
  beforeAll(async () => {
    around = await inputsAround(market, 'session', [...OTHERS, ...CHANGES])
  })

  test.each(CHANGES)('with %s', (what) => {
    const [before, after] = around.get(what) ?? []
    expect(after).not.toBe(before)
  })

  test.each(OTHERS)('not with %s', (what) => {
    const [before, after] = around.get(what) ?? []
    expect(before).toMatch(/./)
    expect(after).toBe(before)
  })
})

describe('what is read of a snapshot changes', () => {
  const CHANGES: readonly Change[] = [
    ['another quantity', 'UPDATE account.equity_position SET quantity = 2000'],
    ['an order that has filled', 'UPDATE account.order_book SET filled_qty = 7'],
    ['a part that is missing', `UPDATE account.snapshot SET state = 'partial' WHERE as_of = '${SESSION}'`],
    [
      'another snapshot before',
      `UPDATE account.snapshot SET snapshot_id = 'other' WHERE as_of = '${SESSION_BEFORE}'`,
    ],
    [
      'a receipt while the session ran',
      `UPDATE account.snapshot SET received_at = '${SESSION} 10:00:00+07' WHERE as_of = '${SESSION}'`,
    ],
    [
      'a restated summary',
      `UPDATE market.daily_summary SET request_id = 'r-000002' WHERE trading_date = '${SESSION}'`,
    ],
  ]
  const SAME_AGAIN: Change = [
    'a second one that says the same',
    [
      ...['snapshot', 'equity_position', 'equity_balance', 'order_book'].map(
        (name) =>
          `UPDATE account.${name} SET snapshot_id = '20250314T130000000Z-0003' WHERE snapshot_id LIKE '20250314%'`,
      ),
      `UPDATE account.snapshot SET received_at = '${SESSION} 20:00:00+07' WHERE as_of = '${SESSION}'`,
    ].join(';'),
  ]
  let around: Awaited<ReturnType<typeof inputsAround>>
  beforeAll(async () => {
    around = await inputsAround(account, 'snapshot', [SAME_AGAIN, ...CHANGES])
  })

  test.each(CHANGES)('with %s', (what) => {
    const [before, after] = around.get(what) ?? []
    expect(after).not.toBe(before)
  })

  test('not with a second one that says the same', () => {
    const [before, after] = around.get(SAME_AGAIN[0]) ?? []
    expect(before).toMatch(/./)
    expect(after).toBe(before)
  })
})

test('what is as it was keeps its findings and is reported with them, until a person overrides one', async () => {
  const broken = market['market.daily_summary']?.map((row) => ({ ...row, low: '27060' })) ?? []
  const database = await warehouseOf({
    ...account,
    'market.daily_summary': broken,
    'recon.finding': [],
    'recon.offender': [],
    'recon.acceptance': [],
    'recon.checked_input': [],
  })
  const home = temporaryFolder()
  const effects = fakeEffects(Date.parse('2025-03-14T12:00:00Z'))
  const scope = { runs: [], days: [SESSION_BEFORE, SESSION], snapshots: [SESSION] }
  const check = async (checkUnchanged = false): Promise<{ ran: number[]; results: string[] }> => {
    const ran: number[] = []
    const options = {
      home,
      calendar: loadCalendar(),
      runIdOf: () => 'r',
      onRule: ({ number }: { number: number }) => void ran.push(number),
    }
    const results = await audit(database, { ...scope, checkUnchanged }, options, effects)
    const lines = results.map(({ rule, subject, tradingDate, state, checked, offenders, relations, note }) =>
      [rule.number, subject, tradingDate, state, checked, offenders, relations.join(), note].join(' '),
    )
    return { ran, results: lines.sort() }
  }
  const first = await check()
  expect(first.ran).toHaveLength(readRules().length)
  const second = await check()
  expect(second.ran).toEqual([])
  expect(second.results).toEqual(first.results)
  expect(await check(true)).toEqual(first)
  await overrideBreaks(database, home, { rule: 1, because: 'seen' }, effects)
  const after = await check()
  expect(after.ran).toContain(1)
  expect(after.results).toEqual(first.results)
  const accepted = await database.rows(
    `SELECT DISTINCT accepted FROM recon.finding WHERE rule = 1 AND state = 'break'`,
  )
  expect(accepted).toEqual([{ accepted: 'seen' }])
})
