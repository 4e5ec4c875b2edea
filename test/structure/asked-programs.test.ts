import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { packageRoot } from '../../src/package.js'
import { PROGRAMS, summaryOf } from '../interop/asked-programs.js'

const all = Object.keys(PROGRAMS)

test('the end of make interop names who ran and who did not, with the reason', () => {
  const { text, code } = summaryOf([{ name: 'redocly' }, { name: 'spark', why: 'no Java' }], [])
  expect(text).toMatch(/^1 of \d+ programs ran: redocly\n/)
  expect(text).toContain('spark did not run (no Java)')
  expect(text).toContain('bun did not run (not asked)')
  expect(code).toBe(0)
})

test.each<[string, string[], string[], number]>([
  ['nobody ran', [], [], 1],
  ['a required one ran', ['redocly'], ['redocly'], 0],
  ['a required one did not', ['redocly'], ['redocly', 'sdk'], 1],
  ['all are required and ran', all, ['all'], 0],
  ['all are required and one did not run', all.slice(1), ['all'], 1],
  ['a required one is unknown', all, ['redocli'], 1],
])('%s', (_, ran, required, code) => {
  expect(
    summaryOf(
      ran.map((name) => ({ name })),
      required,
    ).code,
  ).toBe(code)
})

test('one that ran in one state and was skipped in another has run', () => {
  const noted = [{ name: 'spark' }, { name: 'spark', why: 'no former versions' }]
  expect(summaryOf(noted, ['spark']).code).toBe(0)
})

test('the engines that are asked by name are programs', () => {
  const source = (path: string): string => readFileSync(join(packageRoot, path), 'utf8')
  const engines = [...source('test/interop/engines.ts').matchAll(/inPython\('([\w-]+)'/g)].map(
    ([, name]) => name,
  )
  expect(engines.length).toBeGreaterThan(4)
  expect(all).toEqual(expect.arrayContaining(engines))
})
