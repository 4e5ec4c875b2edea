import { beforeAll, describe, expect, test } from 'vitest'
import { type Effects, systemEffects } from '../../src/effects.js'
import type { StandIn } from '../standin/index.js'
import { temporaryFolder } from '../support/folder.js'
import { LONG } from '../support/long.js'
import { cli, type Environment, type Ran } from '../support/program.js'
import { towards } from './support/cli.js'
import {
  expectCode,
  FIRST,
  heldHashes,
  LAST,
  night,
  rowsOf,
  SESSIONS,
  service,
  undisturbed,
} from './support/nights.js'

const ALWAYS = Number.POSITIVE_INFINITY
const HOUR = 3_600_000
const NIGHTLY = ['nightly', '--date', LAST, '--sessions', '2']

let plain: Awaited<ReturnType<typeof undisturbed>>

beforeAll(async () => {
  plain = await undisturbed()
})

/** A monotonic clock that sleeping moves, and every request by `perRequest` milliseconds. */
function fakeClock(standIn: StandIn, perRequest = 0): Effects & { hours(): number } {
  let slept = 0
  const monotonic = (): number => slept + standIn.requests.length * perRequest
  const sleep = async (ms: number, signal?: AbortSignal): Promise<void> => {
    signal?.throwIfAborted()
    slept += ms
  }
  return { ...systemEffects, random: () => 0.01, monotonic, sleep, hours: () => monotonic() / HOUR }
}

async function run(
  args: readonly string[],
  standIn: StandIn,
  cwd: string,
  effects: Effects,
  env: Environment = {},
): Promise<Ran> {
  return await cli([...args, '--json'], { cwd, env: towards(standIn, env), effects })
}

const notesOf = (ran: Ran): string[] => ran.json<{ notes: string[] }>().notes

describe('a run with a deadline', () => {
  test('waits for a limit no longer than to it, publishes what it has, and the next run goes on', async () => {
    const standIn = await service({
      faults: [{ kind: '429', retryAfter: 1500, match: { path: '/data/ohlc' }, times: ALWAYS }],
    })
    const cwd = temporaryFolder()
    const clock = fakeClock(standIn)
    // After eight hours if nothing else is set.
    const ran = await run(NIGHTLY, standIn, cwd, clock)
    expectCode(ran, 4)
    expect(clock.hours()).toBe(8)
    expect(notesOf(ran)).toEqual(
      expect.arrayContaining([
        'stopped at its deadline of 8 h (CANDLEHOUSE_MAX_HOURS)',
        expect.stringMatching(
          new RegExp(`^not fetched because of the deadline: ohlc, \\d+ windows of ${FIRST} to ${LAST}$`),
        ),
        `not finished because of the deadline: candles of ${FIRST} to ${LAST}`,
      ]),
    )
    expect(ran.stderr).toContain(
      'warning: the service limits requests (HTTP 429 with Retry-After): waiting 1500 s',
    )
    const summaries = await rowsOf<{ days: number }>(
      cwd,
      'SELECT count(DISTINCT trading_date)::INTEGER AS days FROM market.daily_summary',
    )
    expect(summaries).toEqual([{ days: SESSIONS.length }])

    // It stops between two pages, wherever it is; and runs again converge.
    standIn.setOptions({ faults: [] })
    for (const hours of LONG ? [1, 8, 23] : []) {
      const before = standIn.requests.length
      const env = hours === 8 ? {} : { CANDLEHOUSE_MAX_HOURS: String(hours) }
      const stopped = await run(NIGHTLY, standIn, cwd, fakeClock(standIn, HOUR), env)
      expectCode(stopped, 4)
      expect(notesOf(stopped)).toContain(`stopped at its deadline of ${hours} h (CANDLEHOUSE_MAX_HOURS)`)
      // Eight workers may each have a page in hand.
      expect(standIn.requests.length - before).toBeLessThanOrEqual(hours + 8)
    }
    expectCode(await night(standIn, cwd), 0)
    expect(await heldHashes(cwd)).toEqual(plain.once)
  })

  test('is a backfill only where one is set', async () => {
    const standIn = await service()
    const fill = ['backfill', 'indexSummary', '--from', FIRST, '--to', LAST, '--date', LAST]
    if (LONG) expectCode(await run(fill, standIn, temporaryFolder(), fakeClock(standIn, HOUR)), 0)
    const limited = await run(
      [...fill, '--max-hours', '3'],
      standIn,
      temporaryFolder(),
      fakeClock(standIn, HOUR),
    )
    expectCode(limited, 4)
    expect(notesOf(limited)).toContain('stopped at its deadline of 3 h (CANDLEHOUSE_MAX_HOURS)')
  })
})
