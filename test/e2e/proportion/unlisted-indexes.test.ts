import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Fault } from '../../standin/index.js'
import { LONG } from '../../support/long.js'
import { cli, type Ran } from '../../support/program.js'
import { ask } from '../../support/published.js'
import { ALWAYS } from '../support/bad-answers.js'
import { restorableHashes } from '../support/hashes.js'
import { expectCode } from '../support/nights.js'
import { Evenings, saidBy } from './support/evenings.js'
import { either, firstSeenOn, indexList, indexOn, membersOf } from './support/touches.js'
import { eveningClock, SESSIONS, type Service, sessionOf } from './support/world.js'

const LEFT = 'VN30'

/** The list alone does not name them: all else is served. */
const unnamed = (...codes: string[]): Fault => ({
  kind: 'body',
  match: { path: '/data/indexList' },
  times: ALWAYS,
  transform: (text) =>
    JSON.stringify((JSON.parse(text) as { index: string }[]).filter((each) => !codes.includes(each.index))),
})

/** The service has the index no more: the list does not name it, and every request of it is refused. */
const gone: Fault[] = [
  unnamed(LEFT),
  ...['/data/indexSummary', '/data/securitiesByBoard'].map(
    (path): Fault => ({
      kind: 'status',
      status: 404,
      body: '{"code":"404","msg":"No such index"}',
      match: { path, where: { index: LEFT } },
      times: ALWAYS,
    }),
  ),
]

/** Rows of the index alone, on whatever day. */
const ofIndex = either(indexList, indexOn(LEFT, [...SESSIONS]), membersOf(LEFT))
const named = (night: number): string => `no longer names ${LEFT} (last named on ${sessionOf(night)})`

const missingOf = (ran: Ran): string[] =>
  ran.json<{ datasets: { missing: string[] }[] }>().datasets.flatMap(({ missing }) => missing)

const requestsOf = ({ requests }: Service): number =>
  requests.filter(({ query }) => query.index === LEFT).length

async function expectReplay(cwd: string): Promise<void> {
  const before = await restorableHashes(cwd)
  expectCode(await cli(['replay'], { cwd }), 0)
  expectCode(await cli(['publish'], { cwd }), 0)
  expect(await restorableHashes(cwd)).toEqual(before)
}

/** In short: test/load/evidence.test.ts. */
test.runIf(LONG)(
  'an index that the list no longer names is named on two nights, then it has left: it is not requested, its summaries stay; one that comes back is complete; a replay gives the same rows',
  async () => {
    const evenings = new Evenings()
    const rows = async (sql: string) => await ask(join(evenings.home, 'data'), sql)
    const listing = async () =>
      (
        await rows(
          `SELECT is_listed, CAST(last_seen AS VARCHAR) AS last_seen, CAST(left_on AS VARCHAR) AS left_on
         FROM market.market_index WHERE index_code = '${LEFT}'`,
        )
      )[0]
    const summaries = async () =>
      (
        await rows(
          `SELECT CAST(trading_date AS VARCHAR) AS day FROM market.index_summary WHERE index_code = '${LEFT}' ORDER BY 1`,
        )
      ).map(({ day }) => day)
    const left = { faults: gone, touches: ofIndex }

    let asked = 0
    for (const night of [2, 3]) {
      const { ran, standIn } = await evenings.run({ ...left, night, names: [named(1), LEFT] })
      expect(missingOf(ran)).toContain(`${sessionOf(night)}: ${named(1)}`)
      expect(missingOf(ran).some((line) => line.startsWith(`${LEFT} ${sessionOf(night)}: `))).toBe(true)
      expect(await listing()).toEqual({ is_listed: false, last_seen: sessionOf(1), left_on: null })
      asked = requestsOf(standIn)
    }
    expect(asked).toBeGreaterThan(0)

    const nightsGone = [4, 5]
    for (const night of nightsGone) {
      const { ran, standIn } = await evenings.run({ ...left, night, code: 0, names: [] })
      expect(missingOf(ran)).toEqual([])
      expect(saidBy(ran)).not.toContain(LEFT)
      expect(requestsOf(standIn)).toBe(asked)
      expect(await listing()).toEqual({ is_listed: false, last_seen: sessionOf(1), left_on: sessionOf(2) })
      expect(await summaries()).toEqual([sessionOf(0), sessionOf(1)])
    }
    const status = await cli(['status', '--json'], {
      cwd: evenings.home,
      effects: eveningClock(sessionOf(nightsGone.at(-1) ?? 4)),
    })
    expect(status.json()).toMatchObject({ gapCount: 0 })

    const back = 6
    await evenings.healthy(back, ofIndex)
    expect(await listing()).toEqual({ is_listed: true, last_seen: sessionOf(back), left_on: null })
    // It is for two sessions; what failed before is requested again, as any incomplete window. Nobody asks for session 4 of six.
    expect(await summaries()).toEqual([0, 1, 2, 3, 5, 6].map(sessionOf))
    await expectReplay(evenings.home)
  },
)

// In short: a list of half a board, test/load/lists.test.ts; an empty list, test/e2e/contradictions.test.ts.
describe.runIf(LONG)(
  'a list of indexes that lacks some for one night: named, nothing is lost, and the next night is equal everywhere',
  () => {
    const evenings = new Evenings(false)

    test('one index, whose summary is served', async () => {
      await evenings.run({
        night: 2,
        faults: [unnamed(LEFT)],
        names: [named(1)],
        touches: indexList,
      })
      await evenings.healthy(3)
    })

    test('one index, of which nothing is served', async () => {
      await evenings.run({
        night: 4,
        faults: gone,
        names: [named(3), LEFT],
        touches: ofIndex,
        lasting: firstSeenOn(4, []),
      })
      await evenings.healthy(5)
    })

    test('half of the list', async () => {
      const { cwd } = await evenings.run({
        night: 6,
        faults: [unnamed(LEFT, 'HNXINDEX')],
        names: ['names 2 where 4 are held'],
        touches: indexList,
        lasting: firstSeenOn(6, []),
      })
      await evenings.healthy(7)
      await expectReplay(cwd)
    })
  },
)
