import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { beforeAll, expect, test } from 'vitest'
import type { Conclusion } from '../../src/night/conclusion.js'
import { startStandIn } from '../standin/index.js'
import { temporaryFolder } from '../support/folder.js'
import { cli } from '../support/program.js'
import { eveningClock } from './proportion/support/world.js'
import { copyOfBoth, FIRST, LAST, night, nightOfBoth, service, smallMarket } from './support/nights.js'

/** A night's home: each test goes on where the one before it ended. */
let copy: string
beforeAll(async () => {
  copy = await copyOfBoth()
})

const pageOf = (cwd: string, name: string): string => join(cwd, 'data', 'reports', `${name}.html`)

test('a night writes its report and says last how to open it', async () => {
  const cwd = await nightOfBoth()
  const page = readFileSync(pageOf(cwd, LAST), 'utf8')
  expect(readFileSync(pageOf(cwd, 'latest'), 'utf8')).toBe(page)
  expect(page).toContain('14 Mar 2025')
  expect(page).toContain('The night is complete and its data can be trusted')
  expect(statSync(pageOf(cwd, LAST)).mode & 0o777).toBe(0o640)
  const modes = (home: string): string[] =>
    ['catalog.duckdb', 'lake.ducklake', 'lake', 'reports', 'metrics.prom'].map((name) =>
      (statSync(join(home, 'data', name)).mode & 0o777).toString(8),
    )
  expect(modes(cwd)).toEqual(['440', '440', '750', '750', '644'])
  // Files that are there are brought to the setting by the next publication.
  for (const [readers, expected] of [
    ['everyone', ['444', '444', '755', '755', '644']],
    ['owner', ['400', '400', '700', '700', '644']],
  ] as const) {
    expect((await cli(['publish'], { cwd: copy, env: { CANDLEHOUSE_READERS: readers } })).code).toBe(0)
    expect(modes(copy)).toEqual(expected)
  }
})

test('report answers on stdout: what it concludes, what to type, and where the page is', async () => {
  const cwd = copy
  const asked = await cli(['report', '--date', FIRST, '--out', 'first.html', '--json'], { cwd })
  expect(asked.stderr).toBe('')
  expect(asked.json()).toMatchObject({ tradingDate: FIRST, file: join(cwd, 'first.html'), latest: null })
  expect(existsSync(join(cwd, 'first.html'))).toBe(true)
  const text = await cli(['report'], { cwd })
  expect(text.stdout).toContain('with exit 0: complete')
  const refused = await cli(['report', '--out', 'first.pdf'], { cwd })
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('does not end with .html')])
})

test('the report after a later run speaks of the night, and has a line about that run', async () => {
  const cwd = copy
  const file = join(cwd, 'daily.csv')
  writeFileSync(file, 'symbol,trading_date,close\nFPT,2025-03-03,abc\n')
  expect((await cli(['import', 'market.daily_summary', file], { cwd })).code).toBe(4)
  const asked = (await cli(['report', '--json'], { cwd })).json<{
    tradingDate: string
    conclusion: Conclusion
  }>()
  expect(asked.tradingDate).toBe(LAST)
  expect(asked.conclusion).toMatchObject({
    headline: '1 record in quarantine',
    run: { job: 'import', exitCode: 4 },
    night: { job: 'nightly', tradingDate: LAST, exitCode: 0 },
  })
  expect(readFileSync(pageOf(cwd, 'latest'), 'utf8')).toContain('Since then')
})

test('a night that fails has a report that says so; one that cannot be written is a warning', async () => {
  const cwd = copy
  const standIn = await startStandIn({ market: smallMarket() })
  await standIn.close()
  // Refused connections are waited out for half a minute: on a clock that only waits move.
  const effects = eveningClock(LAST)
  expect((await night(standIn, cwd, {}, { writesReport: true, effects })).code).toBe(5)
  const page = readFileSync(pageOf(cwd, LAST), 'utf8')
  expect(page).toContain('The run failed: nothing new was published')
  expect(page).toContain(`candlehouse nightly --date ${LAST}`)
  // One that cannot be written is a warning.
  rmSync(join(cwd, 'data', 'reports'), { recursive: true })
  writeFileSync(join(cwd, 'data', 'reports'), 'a file in its place')
  const refused = await night(standIn, cwd, {}, { writesReport: true, effects: eveningClock(LAST) })
  expect(refused.code).toBe(5)
  expect(refused.stderr).toContain(`the report of ${LAST} was not written`)
  expect(refused.stderr).not.toContain('Report: open')
})

test('a night that fails before the first publication has no report, and no warning about one', async () => {
  const standIn = await startStandIn({ market: smallMarket() })
  await standIn.close()
  const at = { writesReport: true, effects: eveningClock(LAST) }
  const { code, stderr } = await night(standIn, temporaryFolder(), {}, at)
  expect([code, stderr]).toEqual([5, expect.not.stringContaining('was not written')])
})

test('a quiet night has a report too', async () => {
  const cwd = copy
  const standIn = await service()
  rmSync(join(cwd, 'data', 'reports'), { recursive: true })
  const quiet = await night(standIn, cwd, {}, { writesReport: true })
  expect(quiet.code).toBe(0)
  expect(quiet.stderr.trimEnd().split('\n').at(-1)).toBe(
    `Report: open ${pathToFileURL(pageOf(cwd, 'latest')).href} in a browser`,
  )
})
