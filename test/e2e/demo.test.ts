import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { demoStory, SPLIT, type Story, TROUBLED } from '../../src/cli/demo/story.js'
import type { MadeDemo } from '../../src/cli/render/demo.js'
import { type Effects, systemEffects } from '../../src/effects.js'
import type { Conclusion } from '../../src/night/conclusion.js'
import { temporaryFolder } from '../support/folder.js'
import { LONG } from '../support/long.js'
import { type At, cli } from '../support/program.js'
import { words } from './support/words.js'

/** The session before the troubled night, and that night: the shortest home in which something goes wrong and is repaired. */
function shortStory(): Story {
  const story = demoStory()
  const before = story.nights.filter((night) => night < TROUBLED.day).slice(-1)
  return { ...story, before, nights: [TROUBLED.day] }
}

/** Stops the demo with the first run that has ended. */
function stopsAfterOneRun(): { effects: Effects; signal: AbortSignal } {
  const stop = new AbortController()
  const { disk } = systemEffects
  const effects: Effects = {
    ...systemEffects,
    disk: {
      ...disk,
      rename(from, to) {
        disk.rename(from, to)
        if (to.endsWith('demo.json') && runsOf(to) === 1) stop.abort(new Error('stopped'))
      },
    },
  }
  return { effects, signal: stop.signal }
}

function runsOf(file: string): number {
  return (JSON.parse(readFileSync(file, 'utf8')) as { runs: number }).runs
}

async function conclusionOf(at: At): Promise<Conclusion> {
  const { conclusion } = (await cli(['report', '--home', 'demo', '--json', '--out', 'now.html'], at)).json<{
    conclusion: Conclusion
  }>()
  return conclusion
}

test('a demo that was stopped goes on, has a troubled night that is repaired, and shows what to look at', async () => {
  const cwd = temporaryFolder()
  const at: At = { cwd, story: shortStory(), env: { BROKER_BASE_URL: 'http://127.0.0.1:9/real' } }
  const stopped = await cli(['demo', '--no-console'], { ...at, ...stopsAfterOneRun() })
  expect(stopped.code).not.toBe(0)
  const made = await cli(['demo', '--no-console', '--json'], at)
  expect(made.code, made.stderr).toBe(0)
  const { runs, sessions, nights, sights } = made.json<MadeDemo>()
  expect({ runs, sessions, nights }).toEqual({ runs: 2, sessions: 2, nights: 1 })

  const page = readFileSync(join(cwd, 'demo', 'reports', `${TROUBLED.day}.html`), 'utf8')
  expect(page).toContain(TROUBLED.unanswered)
  expect(page).toContain('503')
  expect(page).toContain('rule 1 is broken')
  expect(await conclusionOf(at)).toMatchObject({ complete: true, trusted: true })
  const rows = await cli(
    ['sql', '--home', 'demo', '--json', 'select distinct "column", old from market.revision'],
    at,
  )
  expect(rows.json<unknown>()).toContainEqual({ column: 'high', old: '1000.000000' })

  for (const { command } of sights) {
    const [, ...args] = words(command)
    const ran = await cli(args, at)
    expect(ran.code, `${command}\n${ran.stderr}`).toBe(0)
  }
  const again = await cli(['demo', '--no-console', '--json'], at)
  expect(again.json<MadeDemo>().runs).toBe(0)
})

test('a home that the demo did not make stays as it is', async () => {
  const cwd = temporaryFolder()
  mkdirSync(join(cwd, 'mine'))
  writeFileSync(join(cwd, 'mine', 'warehouse.duckdb'), 'mine')
  const refused = await cli(['demo', '--home', 'mine', '--no-console'], { cwd })
  expect(refused.code).toBe(2)
  expect(refused.stderr).toContain('has data that is not of the demo')
  expect(readdirSync(join(cwd, 'mine'))).toEqual(['warehouse.duckdb'])
  expect(existsSync(join(cwd, 'demo'))).toBe(false)
})

test.runIf(LONG)('two whole demos have equal tables, and every sight shows something', async () => {
  const hashes = []
  for (const cwd of [temporaryFolder(), temporaryFolder()]) {
    const made = await cli(['demo', '--no-console', '--json'], { cwd })
    expect(made.code, made.stderr).toBe(0)
    for (const { command } of made
      .json<MadeDemo>()
      .sights.filter((sight) => sight.command.includes(' sql '))) {
      const [, ...args] = words(command)
      const { stdout } = await cli([...args, '--json'], { cwd })
      expect((JSON.parse(stdout) as unknown[]).length, command).toBeGreaterThan(0)
    }
    const split = `select distinct factor from mart.adjustment_event where symbol = '${SPLIT.symbol}' and ex_date = '${SPLIT.day}'`
    expect((await cli(['sql', '--home', 'demo', '--json', split], { cwd })).json<unknown[]>()).toHaveLength(1)
    hashes.push(
      (await cli(['status', '--home', 'demo', '--hashes', '--json'], { cwd })).json<{ hashes: unknown }>()
        .hashes,
    )
  }
  expect(hashes[0]).toEqual(hashes[1])
})
