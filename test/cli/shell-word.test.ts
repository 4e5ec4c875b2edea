import { execFileSync } from 'node:child_process'
import { shellWord } from 'candlehouse-foundation/command-line/shell-word'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyText } from '../support/any-text.js'

const heard = (words: readonly string[]): string[] =>
  execFileSync('bash', ['-c', `printf '%s\\0' ${words.map(shellWord).join(' ')}`], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8' },
  })
    .split('\0')
    .slice(0, -1)

test('a shell passes every word on as it is', () => {
  const odd = [
    "a'b",
    'a b',
    '',
    '$(id)',
    '`id`',
    'a\nb',
    '\u001b[31m',
    "\u202e'\\",
    '~',
    '*',
    '\u{e0001}x',
    '-x',
  ]
  expect(heard(odd)).toEqual(odd)
  const drawn = fc.sample(anyText({ maxLength: 8 }), { seed: 5, numRuns: 200 })
  const words = drawn.map((word) => word.replaceAll('\0', ''))
  expect(heard(words)).toEqual(words)
})

test('a plain word stays plain, and nothing that a terminal acts on is shown', () => {
  expect(shellWord('market.candle')).toBe('market.candle')
  expect(shellWord('\u001b[31mred')).toBe("$'\\u001b[31mred'")
})
