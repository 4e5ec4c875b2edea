import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Manifest } from '../../src/lake/manifest.js'
import { OwnProcess } from '../../src/mine/own-process.js'
import type { BoundWatch } from '../../src/mine/watches/bind-watch.js'
import { evaluateMissed, evaluateWatches } from '../../src/mine/watches/evaluate-watches.js'
import { watchHeadOf } from '../../src/mine/watches/watch-head.js'
import {
  appendBatches,
  markDelivered,
  newBatch,
  readBatches,
  undelivered,
} from '../../src/mine/watches/watch-record.js'
import { watchLines } from '../../src/night/watched-rows.js'
import { Killed, SimulatedDisk, type Step } from '../simulate/disk.js'
import { onEnd } from '../support/cleanup.js'
import { fakeEffects } from '../support/effects.js'
import { temporaryFolder } from '../support/folder.js'

const WATCH = 'rows'
const TITLES = new Map([[WATCH, 'Rows']])
const AT = '2025-03-14T12:00:00.000Z'

const rowOf = (id: string) => ({ id, text: `n ${id}`, trace: null })

const evaluation = (ids: readonly string[], key: readonly string[] = ['n']) => ({
  watch: WATCH,
  key,
  rows: ids.map(rowOf),
  run: 'r',
  at: AT,
})

/** What each run finds: rows come, go, and come back. */
const NIGHTS = [
  ['a', 'b'],
  ['a', 'b', 'c'],
  ['a', 'd'],
  ['b', 'c', 'd', 'e', 'f'],
  ['f', 'g'],
  ['a', 'c', 'g'],
]

interface Delivery {
  readonly night: number
  readonly ids: readonly string[]
}

const BOUND: BoundWatch = {
  name: WATCH,
  file: 'sql/watches/rows.sql',
  title: 'Rows',
  key: ['n'],
  columns: [],
  sql: '',
}

function publish(home: string, publication: number): void {
  mkdirSync(join(home, 'lake'), { recursive: true })
  const manifest: Manifest = {
    format: 'candlehouse-lake',
    format_version: 1,
    publication,
    run_id: 'r',
    published_at: AT,
    fetched_timeframes: [],
    own_views: [],
    relations: [],
  }
  writeFileSync(join(home, 'lake/manifest.json'), JSON.stringify(manifest))
}

/** One run: evaluates what the run before has missed, publishes, evaluates, notifies, marks. */
async function run(home: string, night: number, disk: SimulatedDisk, deliver: (one: Delivery) => void) {
  const effects = { ...fakeEffects(Date.parse(AT)), disk }
  const foundIn = (published: number) => ({
    home,
    runId: 'r',
    apart: new OwnProcess(),
    rowsOf: async () => (NIGHTS[published] ?? []).map(rowOf),
  })
  await evaluateMissed([BOUND], foundIn(night - 1), effects)
  publish(home, night + 1)
  const { watches } = await evaluateWatches([BOUND], foundIn(night), effects)
  if (watches.length > 0) deliver({ night, ids: watches.flatMap(({ rows }) => rows.map(({ id }) => id)) })
  await markDelivered(home, watches, effects)
}

/** All nights; the program is killed at a step of one night, and with a power cut what was not synced is lost. */
async function nights(killedAt: number, withPowerCut: boolean) {
  let home = temporaryFolder()
  mkdirSync(join(home, 'sql/watches'), { recursive: true })
  writeFileSync(join(home, 'sql/watches/rows.sql'), '-- Rows\n-- key: n\nSELECT 1 AS n')
  const deliveries: Delivery[] = []
  let steps = 0
  let killed: { night: number; afterDelivery: boolean } | undefined
  for (let night = 0; night < NIGHTS.length; night++) {
    const before = deliveries.length
    const onStep = (step: Step): void => {
      if (steps++ !== killedAt) return
      killed = { night, afterDelivery: deliveries.length > before }
      throw new Killed(step)
    }
    const disk = new SimulatedDisk({ onStep })
    onEnd(() => disk.close())
    const deliver = (delivery: Delivery): void => {
      // A killed program notifies nobody.
      if (killed?.night !== night) deliveries.push(delivery)
    }
    await run(home, night, disk, deliver).catch((error: unknown) => {
      if (killed?.night !== night) throw error
    })
    if (killed?.night !== night || !withPowerCut) continue
    const copy = join(temporaryFolder(), 'home')
    disk.powerLoss(home, copy, () => (killedAt % 10) / 10)
    home = copy
  }
  return { home, deliveries, steps, killed }
}

describe('rows of a watch', () => {
  test('are delivered once, whatever comes, goes and comes back', async () => {
    const { home, deliveries } = await nights(Number.POSITIVE_INFINITY, false)
    expect(deliveries).toEqual([
      { night: 1, ids: ['c'] },
      { night: 2, ids: ['d'] },
      { night: 3, ids: ['e', 'f'] },
      { night: 4, ids: ['g'] },
    ])
    expect(undelivered(home, TITLES)).toEqual([])
  })

  test.each([false, true])(
    'are neither lost nor doubled by a kill at any step (power cut: %s)',
    async (cut) => {
      const { steps } = await nights(Number.POSITIVE_INFINITY, cut)
      let kills = 0
      for (let at = 0; at < steps; at++) {
        const { deliveries, killed } = await nights(at, cut)
        if (!killed) throw new Error(`step ${at} killed nothing`)
        kills++
        const ids = deliveries.flatMap((delivery) => delivery.ids)
        // A watch that was killed before it has begun begins with the next run, and counts what that one finds.
        const exist = killed.night === 0 && !deliveries.some(({ night }) => night === 1) ? ['c'] : []
        const expected = ['c', 'd', 'e', 'f', 'g'].filter((id) => !exist.includes(id))
        expect([...new Set(ids)].sort(), `step ${at}`).toEqual(expected)
        const doubled = ids.filter((id, index) => ids.indexOf(id) < index)
        // Nobody knows whether a notification has arrived: it is sent again, with the same ids.
        if (!killed.afterDelivery) expect(doubled, `step ${at}`).toEqual([])
        else
          expect(
            deliveries.filter(({ ids: some }) => some.some((id) => doubled.includes(id))).length,
          ).toBeLessThan(3)
      }
      expect(kills).toBe(steps)
      expect(steps).toBeGreaterThan(40)
    },
  )

  test('twenty are named, the others are counted; all of them are delivered', async () => {
    const home = temporaryFolder()
    const effects = fakeEffects(Date.parse(AT))
    const begin = newBatch([], evaluation([]))
    const many = Array.from({ length: 25 }, (_, index) => `id${index}`)
    const batch = newBatch(begin ? [begin] : [], evaluation(many))
    await appendBatches(
      home,
      [begin, batch].flatMap((each) => each ?? []),
      effects,
    )
    const watches = undelivered(home, TITLES)
    expect(watches).toMatchObject([{ more: 5, rows: { length: 20 } }])
    expect(watches.flatMap(watchLines)).toHaveLength(21)
    expect(watches.flatMap(watchLines).at(-1)).toContain('5 more rows')
    await markDelivered(home, watches, effects)
    expect(undelivered(home, TITLES)).toEqual([])
    expect(newBatch(readBatches(home), evaluation(many))).toBeUndefined()
  })

  test('begin again with another key: its ids say something else', () => {
    const begin = newBatch([], evaluation(['a']))
    expect(begin).toMatchObject({ begins: true, ids: ['a'], rows: [] })
    const again = newBatch(begin ? [begin] : [], evaluation(['x', 'x', 'y'], ['n', 'm']))
    expect(again).toMatchObject({ begins: true, ids: ['x', 'y'], rows: [] })
  })
})

test.each([
  ['-- Title\n-- of two lines\n-- key: a, b\n--\n-- More.\nSELECT 1', 'Title of two lines', ['a', 'b']],
  ['-- key: a\n-- Title\nSELECT 1', 'Title', ['a']],
  ['-- Title\nSELECT 1', 'Title', undefined],
  ['SELECT 1', 'name', undefined],
  ['-- key:\nSELECT 1', 'name', []],
])('the head of a watch: %j', (text, title, key) => {
  expect(watchHeadOf(text, 'name')).toEqual({ title, key })
})
