import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { logFile } from '../../src/home/log-files.js'
import { killedWords, ProgressFile, readKilledRun, readProgress } from '../../src/night/progress.js'
import { fakeEffects } from '../support/effects.js'
import { temporaryFolder } from '../support/folder.js'

const RUN = { job: 'nightly', tradingDate: '2025-03-14', startedAt: Date.parse('2025-03-14T11:00:00Z') }

function shownProgress() {
  const calls: unknown[][] = []
  return {
    calls,
    progress: {
      phase: (...args: unknown[]) => void calls.push(['phase', ...args]),
      advance: (...args: unknown[]) => void calls.push(['advance', ...args]),
      done: () => void calls.push(['done']),
    },
  }
}

test('a run under way shows its phases to others, and its file goes with it', () => {
  const home = temporaryFolder()
  const effects = fakeEffects(Date.parse('2025-03-14T11:00:00Z'))
  const { progress, calls } = shownProgress()
  const file = new ProgressFile(home, RUN, progress, effects)
  expect(readProgress(home)).toBeNull()
  file.phase('market', 3)
  file.advance(1, 'ohlc FPT')
  effects.advance(1_000)
  file.advance(1, 'ohlc HPG')
  expect(readKilledRun(home)).toBeNull()
  expect(readProgress(home)).toEqual({
    pid: process.pid,
    machine: expect.any(String),
    job: 'nightly',
    tradingDate: '2025-03-14',
    startedAt: '2025-03-14T11:00:00.000Z',
    phases: [
      {
        name: 'market',
        done: 2,
        total: 3,
        unit: 'windows',
        note: 'ohlc HPG',
        startedAt: '2025-03-14T11:00:00.000Z',
        finishedAt: null,
      },
    ],
  })
  file.phase('check')
  expect(readProgress(home)?.phases.map(({ finishedAt }) => finishedAt)).toEqual([
    '2025-03-14T11:00:01.000Z',
    null,
  ])
  expect(calls).toEqual([
    ['phase', 'market', 3, 'windows'],
    ['advance', 1, 'ohlc FPT'],
    ['advance', 1, 'ohlc HPG'],
    ['phase', 'check', undefined, 'windows'],
  ])
  file.close()
  expect(existsSync(logFile(home, 'progress.json'))).toBe(false)
})

test('the file of a killed run is not a run, and names it on the machine where it was', () => {
  const home = temporaryFolder()
  const file = new ProgressFile(home, RUN, shownProgress().progress, fakeEffects())
  file.phase('market')
  const content = JSON.parse(readFileSync(logFile(home, 'progress.json'), 'utf8')) as object
  // Process ids end at 2^22.
  writeFileSync(logFile(home, 'progress.json'), JSON.stringify({ ...content, pid: 2 ** 30 }))
  expect(readProgress(home)).toBeNull()
  const killed = { job: 'nightly', tradingDate: '2025-03-14', startedAt: '2025-03-14T11:00:00.000Z' }
  expect(readKilledRun(home)).toEqual(killed)
  expect(killedWords(killed)).toBe(
    'the nightly for 2025-03-14 that began at 2025-03-14 18:00:00 UTC+7 was killed before it ended',
  )
  // Another machine cannot know whether the process lives.
  writeFileSync(
    logFile(home, 'progress.json'),
    JSON.stringify({ ...content, pid: 2 ** 30, machine: 'another' }),
  )
  expect(readKilledRun(home)).toBeNull()
})
