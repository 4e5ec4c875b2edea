import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readConclusion, writeConclusion } from '../../src/night/conclusion-file.js'
import { conclusionOf } from '../support/conclusions.js'
import { fakeEffects } from '../support/effects.js'
import { temporaryFolder } from '../support/folder.js'

const night = conclusionOf()

test('a conclusion is the latest one and that of its night', async () => {
  const home = temporaryFolder()
  expect(readConclusion(home)).toBeNull()
  await writeConclusion(home, night, fakeEffects())
  expect(readConclusion(home)).toEqual(night)
  expect(readConclusion(home, '2025-03-14')).toEqual(night)
  expect(readConclusion(home, '2025-03-13')).toBeNull()
  const text = readFileSync(join(home, 'logs/conclusions/2025-03-14.json'), 'utf8')
  expect(text).toBe(`${JSON.stringify(night, null, 2)}\n`)
  expect(readFileSync(join(home, 'logs/conclusion.json'), 'utf8')).toBe(text)
  expect(statSync(join(home, 'logs/conclusions')).mode & 0o777).toBe(0o700)
  expect(statSync(join(home, 'logs/conclusion.json')).mode & 0o777).toBe(0o600)
})

test('a run in the morning belongs to the night before', async () => {
  const home = temporaryFolder()
  const repair = conclusionOf({ run: { job: 'repair', tradingDate: '2025-03-17' }, before: night })
  await writeConclusion(home, repair, fakeEffects())
  expect(readConclusion(home, '2025-03-14')).toEqual(repair)
  expect(readConclusion(home, '2025-03-17')).toBeNull()
})

test('a run before the first night has the trading date of its own, or none', async () => {
  const home = temporaryFolder()
  const first = conclusionOf({ run: { job: 'import' } })
  await writeConclusion(home, first, fakeEffects())
  expect(readConclusion(home, '2025-03-14')).toEqual(first)
  const other = temporaryFolder()
  const replay = conclusionOf({ run: { job: 'replay', tradingDate: '' } })
  const effects = fakeEffects()
  await writeConclusion(other, replay, effects)
  expect(readConclusion(other)).toEqual(replay)
  expect(readConclusion(other, '')).toBeNull()
  expect(effects.warnings).toEqual([])
})

test('a file that cannot be written is a warning, and the other one is written', async () => {
  const home = temporaryFolder()
  mkdirSync(join(home, 'logs/conclusions/2025-03-14.json'), { recursive: true })
  const effects = fakeEffects()
  await writeConclusion(home, night, effects)
  expect(effects.warnings).toHaveLength(1)
  expect(effects.warnings[0]).toMatch(/2025-03-14\.json was not written: ./)
  rmSync(join(home, 'logs/conclusions'), { recursive: true })
  expect(readConclusion(home)).toEqual(night)
})

test('a file that a power failure left empty is none', () => {
  const home = temporaryFolder()
  mkdirSync(join(home, 'logs'))
  writeFileSync(join(home, 'logs/conclusion.json'), '')
  expect(readConclusion(home)).toBeNull()
})
