import { join } from 'node:path'
import { provePage } from 'candlehouse-foundation/json/page'
import { loadCalendar } from 'candlehouse-foundation/market/calendar'
import { type Database, openDatabase } from '../../src/duckdb/open.js'
import { installParsers } from '../../src/duckdb/parse.js'
import { systemEffects } from '../../src/effects.js'
import {
  type ClosedWalk,
  closedWalks,
  IMPORT,
  openJournal,
  type PartWalk,
  type WalkEnd,
} from '../../src/land/journal.js'
import { landWalk, type WalkNumbers, type WalkPage, type WalkSubject } from '../../src/land/walk.js'
import { batchesOf, type Loaded, loadBatch } from '../../src/load/batch.js'
import type { DatasetName, Window } from '../../src/plan/datasets.js'
import type { PartName } from '../../src/plan/parts.js'
import { ACCOUNT, MARKET } from '../../src/source/brokerage/queries.js'
import { openWarehouse } from '../../src/warehouse/open-warehouse.js'
import { onEnd } from './cleanup.js'

/** A migrated warehouse with the parse macros, closed after the test. */
export async function openTestWarehouse(home: string): Promise<Database> {
  const warehouse = await openWarehouse(join(home, 'warehouse.duckdb'), systemEffects)
  onEnd(() => warehouse.close())
  await installParsers(warehouse)
  return warehouse
}

/** A database in memory with the parse macros. */
export async function openMacros(): Promise<Database> {
  const database = await openDatabase(':memory:')
  onEnd(() => database.close())
  await installParsers(database)
  return database
}

export interface TestWalk {
  window: Window
  /** Page bodies as the service would send them: text, or a value to stringify. */
  bodies: readonly unknown[]
  end?: WalkEnd
  /** How many records the service counts, on every page. */
  items?: number
}

let sequence = 0

/** Lands walks as a run would and returns them as its journal tells. */
export async function landWalks(
  home: string,
  walks: readonly TestWalk[],
  options: { run?: string; tradingDate?: string; receivedAt?: string } = {},
): Promise<ClosedWalk[]> {
  // Ids of runs sort by their start: what came later is the later answer, however many tests ran before.
  const run = options.run ?? `20250601T120000000Z-${String(++sequence).padStart(4, '0')}`
  return await withRun(home, run, 'nightly', async (landing) => {
    for (const { window, bodies, end, items } of walks) {
      await landing.land(
        { window, endpoint: window.dataset === 'corporateActions' ? IMPORT : MARKET[window.dataset] },
        pagesOf(bodies, end, {
          query: queryOf(window),
          receivedAt: options.receivedAt,
          ...(items === undefined ? {} : { told: { items } }),
        }),
        options.tradingDate ?? window.to,
      )
    }
    return closedWalks(home, run).market
  })
}

/** What the whole market is asked with; of other windows no statement reads the query. */
function queryOf({ key, from, to }: Window): Record<string, string> {
  return key === '*' ? { from: from.replaceAll('-', '/'), to: to.replaceAll('-', '/') } : {}
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
  options: { run: string; tradingDate: string; keyName?: string; ofOtherKeys?: readonly string[] },
): Promise<PartWalk[]> {
  const { run, tradingDate, keyName, ofOtherKeys } = options
  return await withRun(home, run, 'snapshot', async (landing) => {
    for (const [index, { part, account, key, price, bodies, end }] of answers.entries()) {
      const window = {
        dataset: part,
        key: key ?? account,
        timeframe: '' as const,
        from: tradingDate,
        to: tradingDate,
      }
      const closes = index === answers.length - 1 ? ('snapshot' as const) : undefined
      const query = price === undefined ? {} : { price }
      await landing.land(
        { window, endpoint: ACCOUNT[part], account },
        pagesOf(bodies, end, { query, closes, of_other_keys: closes && ofOtherKeys }),
        tradingDate,
        keyName,
      )
    }
    return closedWalks(home, run).snapshots.at(-1) ?? []
  })
}

interface Landing {
  land(
    subject: WalkSubject<DatasetName | PartName>,
    pages: AsyncIterable<WalkPage>,
    tradingDate: string,
    keyName?: string,
  ): Promise<unknown>
}

/** A run that lands walks one after the other. */
async function withRun<Walk>(
  home: string,
  run: string,
  job: string,
  body: (landing: Landing) => Promise<readonly Walk[]>,
): Promise<Walk[]> {
  const journal = await openJournal(home, run, systemEffects)
  const count = { walks: 0, pages: 0 }
  const numbers = (): WalkNumbers => ({ walk: ++count.walks, nextPage: () => ++count.pages })
  try {
    return [
      ...(await body({
        land: (subject, pages, tradingDate, keyName) =>
          landWalk(subject, pages, numbers(), {
            home,
            journal,
            run,
            job,
            tradingDate,
            ...(keyName === undefined ? {} : { keyName }),
          }),
      })),
    ]
  } finally {
    await journal.close()
  }
}

/** Bodies as pages that the service sent; the last one says how the walk ended. */
async function* pagesOf(
  bodies: readonly unknown[],
  end: WalkEnd = { state: 'complete', reason: null },
  facts: Pick<WalkPage, 'query' | 'closes' | 'of_other_keys' | 'told'> & { receivedAt?: string | undefined },
): AsyncGenerator<WalkPage> {
  for (const [at, value] of bodies.entries()) {
    const body = Buffer.from(typeof value === 'string' ? value : JSON.stringify(value))
    const last = at === bodies.length - 1
    yield {
      query: facts.query,
      status: 200,
      attempts: 1,
      body,
      wire: undefined,
      receivedAt: Date.parse(facts.receivedAt ?? '2025-06-30T12:00:00.000Z'),
      ...factsOf(body),
      ...(facts.told && { told: facts.told }),
      end: last ? end : null,
      closes: last ? facts.closes : undefined,
      of_other_keys: last ? facts.of_other_keys : undefined,
    }
  }
}

/** What a run finds out about a body before it lands it; what an older version believed where the body is broken. */
function factsOf(body: Buffer): Pick<WalkPage, 'rows' | 'shape' | 'fields' | 'plain'> {
  const isArray = body.toString().trimStart().startsWith('[')
  const shape = isArray ? 'array' : body.includes('"data"') ? 'data' : 'none'
  try {
    const { list } = provePage(body)
    return { rows: list?.rows ?? 1, shape, fields: list?.fields ?? null, plain: list?.plain ?? false }
  } catch {
    return { rows: 1, shape, fields: null }
  }
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
