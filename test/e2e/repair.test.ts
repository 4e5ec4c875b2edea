import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Conclusion } from '../../src/night/conclusion.js'
import type { Dataset, Fault, Row, StandIn } from '../standin/index.js'
import { temporaryFolder } from '../support/folder.js'
import { cli, type Ran } from '../support/program.js'
import { towards } from './support/cli.js'
import {
  expectCode,
  FIRST,
  type Hashes,
  heldHashes,
  LAST,
  missingOf,
  night,
  nightOfBoth,
  rowsOf,
  service,
} from './support/nights.js'

const ALWAYS = Number.POSITIVE_INFINITY

/** What a night holds that saw no fault. */
let plain: { hashes: Hashes; coverage: unknown[] }

beforeAll(async () => {
  const cwd = await nightOfBoth()
  plain = { hashes: await heldHashes(cwd), coverage: await coverage(cwd) }
})

/** Windows and how they stand, but for the summaries asked by symbol: a night asks for the whole market. */
async function coverage(cwd: string): Promise<unknown[]> {
  return await rowsOf(
    cwd,
    `select * exclude (request_id) from ops.coverage where not (dataset = 'securitiesSummary' and key <> '*') order by all`,
  )
}

async function repair(standIn: StandIn, cwd: string, ...more: string[]): Promise<Ran> {
  const args = ['repair', '--date', LAST, '--json', ...more]
  return await cli(args, { cwd, env: towards(standIn) })
}

/** Questions sent since so many requests, without the login. */
function askedSince(standIn: StandIn, before: number): string[] {
  return standIn.requests
    .slice(before)
    .filter(({ path }) => path.includes('/data/'))
    .map(({ path, query }) =>
      [
        path.replace(/.*\//, ''),
        query.symbol,
        query.timeFrame,
        query.from?.slice(0, 10),
        query.to?.slice(0, 10),
      ]
        .filter(Boolean)
        .join(' '),
    )
}

/** Equal tables, but for the evidence of the fault: the revision that mended it. */
async function expectSound(cwd: string): Promise<void> {
  const facts = (hashes: Hashes): Hashes =>
    Object.fromEntries(
      Object.entries(hashes).filter(([name]) => !['market.revision', 'ops.coverage'].includes(name)),
    )
  expect(facts(await heldHashes(cwd))).toEqual(facts(plain.hashes))
  expect(await coverage(cwd)).toEqual(plain.coverage)
}

const slashed = (day: string): string => day.replaceAll('-', '/')

const SHORT_CANDLES: Fault = {
  kind: 'short',
  match: { path: '/data/ohlc', where: { symbol: 'HPG', timeFrame: '1m' } },
  times: ALWAYS,
}

/** A digit too many: the low of the day stands above its high, and the floor above the ceiling. */
const WRONG: Readonly<Record<string, string>> = { securitiesSummary: 'low', masterdata: 'floor' }

function wrongLowAndFloor(dataset: Dataset, row: Row): Row {
  const field = WRONG[dataset]
  if (!field || row.symbol !== 'FPT' || row.tradingDate !== slashed(LAST)) return row
  return { ...row, [field]: `${row[field]}0` }
}

describe('a night with a short window, a wrong summary and a wrong price limit', () => {
  let standIn: StandIn
  let cwd: string
  beforeAll(async () => {
    standIn = await service({ faults: [SHORT_CANDLES] })
    standIn.setOptions({ mutateRow: wrongLowAndFloor })
    cwd = temporaryFolder()
    const ran = await night(standIn, cwd)
    expectCode(ran, 4)
    expect(missingOf(ran).ohlc).toHaveLength(2)
    expect(await rowsOf(cwd, `select symbol from market.daily_summary where low > high`)).toEqual([])
  })

  describe('while the service returns it wrong again', () => {
    let still: Ran
    let asked: string[]
    beforeAll(async () => {
      const before = standIn.requests.length
      still = await repair(standIn, cwd)
      asked = askedSince(standIn, before)
    })

    test('remains, is reported, and ends with 4', () => {
      expectCode(still, 4)
      expect(missingOf(still).ohlc).toHaveLength(2)
      const { notes } = still.json<{ notes: string[] }>()
      expect(notes).toContain('repaired 0 of 2 incomplete windows')
      for (const rule of ['1 is broken (low ≤ open', '40 is broken (floor < reference']) {
        const note = notes.find((each) => each.startsWith(`rule ${rule}`))
        expect(note).toMatch(/; fetched again; the service returned the same values\): 2025-03-14$/)
      }
    })

    test('is asked for at most twice', () => {
      expect(new Set(asked).size).toBeLessThanOrEqual(6)
      // A short answer is walked twice before it is believed to be short.
      expect(asked.filter((each) => each.startsWith('ohlc HPG')).length).toBeLessThanOrEqual(4)
    })
  })

  describe('once the service answers right', () => {
    let withheld: object[]
    let dry: Ran
    let askedDry: number
    let repaired: Ran
    let asked: string[]
    beforeAll(async () => {
      standIn.setOptions({ faults: [], mutateRow: undefined })
      withheld = (await cli(['status', '--json'], { cwd })).json<{ withheld: object[] }>().withheld
      const before = standIn.requests.length
      dry = await repair(standIn, cwd, '--dry-run')
      askedDry = standIn.requests.length - before
      repaired = await repair(standIn, cwd)
      asked = askedSince(standIn, before)
    })

    test('status shows until then what is withheld', () => {
      expect(withheld).toContainEqual(
        expect.objectContaining({ relation: 'market.daily_summary', tradingDate: LAST, rule: 1 }),
      )
    })

    test('a dry run says what a repair would request and why, and sends nothing', () => {
      expectCode(dry, 0)
      expect(askedDry).toBe(0)
      const view = dry.json<{ pages: number; stages: { datasets: { dataset: string; why: string }[] }[] }>()
      const reasons = view.stages.flatMap(({ datasets }) =>
        datasets.map(({ dataset, why }) => `${dataset}: ${why}`),
      )
      expect(reasons[0]).toMatch(/^ohlc: incomplete: \d+ rows where itemsCount says \d+/)
      expect(reasons[1]).toMatch(/^securitiesSummary: rule 1 is broken/)
      expect(reasons[2]).toMatch(/^masterdata: rule 40 is broken/)
      expect(view.pages).toBeGreaterThanOrEqual(2)
    })

    test('repair fixes all with exactly the requests needed', async () => {
      expectCode(repaired, 0)
      const [first, second, ...rest] = asked
      expect([first, second]).toEqual([
        `ohlc HPG 1m ${slashed(FIRST)} ${slashed(LAST)}`,
        `securitiesSummary FPT ${slashed(LAST)} ${slashed(LAST)}`,
      ])
      // Limits are asked for the whole market. The summary changed: candles of that day are asked again in the same run.
      expect(rest.sort()).toEqual(
        ['masterdata', 'ohlc FPT 1m'].map((each) => `${each} ${slashed(LAST)} ${slashed(LAST)}`),
      )
      const [windows, findings] = repaired.json<{ notes: string[] }>().notes
      expect(windows).toMatch(/^repaired (\d+) of \1 incomplete windows: \1 ohlc$/)
      expect(findings).toMatch(/^repaired (\d+) of \1 broken findings$/)
      expect(repaired.json()).toMatchObject({
        job: 'repair',
        exitCode: 0,
        checks: { break: 0, withheld: [] },
      })
      await expectSound(cwd)
      expect(await rowsOf(cwd, `select job, exit_code from ops.run order by run_id`)).toEqual([
        { job: 'nightly', exit_code: 4 },
        { job: 'repair', exit_code: 4 },
        { job: 'repair', exit_code: 0 },
      ])
    })

    test('another repair has nothing to do, and sends nothing', async () => {
      const before = standIn.requests.length
      const nothing = await repair(standIn, cwd)
      expectCode(nothing, 0)
      expect(nothing.json<{ notes: string[] }>().notes.join()).toContain('nothing to repair')
      expect(standIn.requests).toHaveLength(before)

      const metrics = join(cwd, 'data', 'metrics.prom')
      expect(readFileSync(metrics, 'utf8')).toContain('candlehouse_last_run_exit_code{job="repair"} 0\n')
      expect(statSync(metrics).mode & 0o777).toBe(0o644)
    })
  })
})

test('what breaks a rule of severity warn alone is fetched again and said; a night that is good stays good', async () => {
  const standIn = await service()
  standIn.setOptions({
    mutateRow: (dataset, row) =>
      dataset === 'securitiesSummary' && row.symbol === 'FPT' && row.tradingDate === slashed(LAST)
        ? { ...row, totalForeignBuy: `${row.totalForeignBuy}000` }
        : row,
  })
  const cwd = temporaryFolder()
  expectCode(await night(standIn, cwd), 0)
  const still = await repair(standIn, cwd)
  expectCode(still, 0)
  const { notes, conclusion } = still.json<{ notes: string[]; conclusion: Conclusion }>()
  expect(notes.filter((note) => note.startsWith('rule 12 is broken'))).toHaveLength(1)
  expect(conclusion).toMatchObject({ state: 'good', complete: true, trusted: true })
  const commands = conclusion.next.map(({ command }) => command)
  expect(commands).toContain('candlehouse sql "from recon.offender where rule = 12"')
  expect(commands.join()).not.toContain('--accept')
})

test('before the first night there is nothing to repair, and nothing is sent', async () => {
  const standIn = await service()
  const cwd = temporaryFolder()
  expectCode(await repair(standIn, cwd, '--dry-run'), 0)
  expect(existsSync(join(cwd, 'data', 'warehouse.duckdb'))).toBe(false)
  expectCode(await repair(standIn, cwd), 0)
  expect(standIn.requests).toEqual([])
})
