import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach } from 'vitest'
import { type Database, openDatabase } from '../../src/duckdb/open.js'
import { installParsers } from '../../src/duckdb/parse.js'
import {
  type ClosedWalk,
  closedWalks,
  openJournal,
  type PartWalk,
  type WalkEnd,
} from '../../src/land/journal.js'
import { landPage } from '../../src/land/page.js'
import { firstRecord } from '../../src/land/record.js'
import { batchesOf, type Loaded, loadBatch } from '../../src/load/batch.js'
import { loadCalendar } from '../../src/market/calendar.js'
import { datasets, type Window } from '../../src/plan/datasets.js'
import { type PartName, parts } from '../../src/plan/parts.js'
import { openWarehouse } from '../../src/warehouse/open.js'

const opened: (() => void)[] = []

afterEach(() => {
  for (const undo of opened.splice(0).reverse()) undo()
})

/** An empty folder that goes with the test. */
export function temporaryHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'candlehouse-test-'))
  opened.push(() => rmSync(home, { recursive: true, force: true }))
  return home
}

/** A migrated warehouse with the parse macros, closed after the test. */
export async function openTestWarehouse(home: string): Promise<Database> {
  const warehouse = await openWarehouse(join(home, 'warehouse.duckdb'))
  opened.push(() => warehouse.close())
  await installParsers(warehouse)
  return warehouse
}

/** A database in memory with the parse macros. */
export async function openMacros(): Promise<Database> {
  const database = await openDatabase(':memory:')
  opened.push(() => database.close())
  await installParsers(database)
  return database
}

export interface TestWalk {
  window: Window
  /** Page bodies as the service would send them: text, or a value to stringify. */
  bodies: readonly unknown[]
  end?: WalkEnd
}

let sequence = 0

/** Lands walks as a run would and returns them as its journal tells. */
export async function landWalks(
  home: string,
  walks: readonly TestWalk[],
  options: { run?: string; tradingDate?: string; receivedAt?: string } = {},
): Promise<ClosedWalk[]> {
  const run = options.run ?? `2025060${(sequence % 9) + 1}T120000000Z-${String(++sequence).padStart(4, '0')}`
  const journal = await openJournal(home, run)
  let pages = 0
  for (const [index, walk] of walks.entries()) {
    for (const [at, value] of walk.bodies.entries()) {
      const body = Buffer.from(typeof value === 'string' ? value : JSON.stringify(value))
      const shape = body.toString().trimStart().startsWith('[')
        ? 'array'
        : body.includes('"data"')
          ? 'data'
          : 'none'
      const id = `${run}-${String(++pages).padStart(6, '0')}`
      const landed = await landPage(home, `raw/${walk.window.dataset}/${run}/${id}.json.gz`, {
        body,
        wire: undefined,
      })
      await journal.append({
        id,
        run,
        job: 'nightly',
        trading_date: options.tradingDate ?? walk.window.to,
        endpoint: datasets[walk.window.dataset].endpoint,
        query: {},
        window: walk.window,
        walk: `${run}-w${index}`,
        page: at + 1,
        status: 200,
        attempts: 1,
        received_at: options.receivedAt ?? '2025-06-30T12:00:00.000Z',
        bytes: body.length,
        rows: 1,
        ...landed,
        shape,
        ...firstRecord(body, listOf(body)),
        end: at === walk.bodies.length - 1 ? (walk.end ?? { state: 'complete', reason: null }) : null,
      })
    }
  }
  await journal.close()
  return [...closedWalks(home, run).market]
}

/** What a question about an account was answered with, page by page. */
export interface TestAnswer {
  part: PartName
  /** Empty for the list of accounts. */
  account: string
  /** Account, symbol or conditional order. @default the account */
  key?: string
  price?: string
  bodies: readonly unknown[]
  end?: WalkEnd
}

/** Lands the answers of one snapshot as a run would; the last page closes it. */
export async function landParts(
  home: string,
  answers: readonly TestAnswer[],
  options: { run: string; tradingDate: string },
): Promise<PartWalk[]> {
  const { run, tradingDate } = options
  const journal = await openJournal(home, run)
  let pages = 0
  for (const [index, { part, account, key, price, bodies, end }] of answers.entries()) {
    for (const [at, value] of bodies.entries()) {
      const body = Buffer.from(typeof value === 'string' ? value : JSON.stringify(value))
      const id = `${run}-${String(++pages).padStart(6, '0')}`
      const landed = await landPage(home, `raw/${part}/${run}/${id}.json.gz`, { body, wire: undefined })
      const last = at === bodies.length - 1
      await journal.append({
        ...{ id, run, job: 'snapshot', trading_date: tradingDate, endpoint: parts[part].endpoint },
        query: price === undefined ? {} : { price },
        window: { dataset: part, key: key ?? account, timeframe: '', from: tradingDate, to: tradingDate },
        ...{ walk: `${run}-w${String(index).padStart(6, '0')}`, page: at + 1, status: 200, attempts: 1 },
        received_at: '2025-06-30T12:00:00.000Z',
        ...{ bytes: body.length, rows: 1, ...landed, shape: 'none', fields: null, textual: false },
        account,
        ...(last && index === answers.length - 1 ? { closes: 'snapshot' as const } : {}),
        end: last ? (end ?? { state: 'complete', reason: null }) : null,
      })
    }
  }
  await journal.close()
  return [...closedWalks(home, run).snapshot]
}

/** Lands and loads walks; what each batch did. */
export async function loadWalks(
  warehouse: Database,
  home: string,
  walks: readonly TestWalk[],
  options: Parameters<typeof landWalks>[2] = {},
): Promise<Loaded[]> {
  const done: Loaded[] = []
  for (const batch of batchesOf(await landWalks(home, walks, options))) {
    const [first] = batch
    if (first)
      done.push(
        await loadBatch(warehouse, home, first.window.dataset, batch, loadCalendar(), { verify: true }),
      )
  }
  return done
}

function listOf(body: Buffer): [number, number] | undefined {
  const start = body.indexOf('[')
  return start < 0 ? undefined : [start + 1, body.lastIndexOf(']')]
}
