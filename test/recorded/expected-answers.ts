import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { LONG } from '../support/long.js'
import { shown } from './world.js'

/** A mutant of SQL is tried: the disturbed worlds notice those that no case notices. */
const OF_MUTANTS = process.env.SQL_MUTANTS === '1'

/** Whether every recorded answer is asked for, and its file written. Otherwise what costs most is left to other tests. */
export const IS_WHOLE = LONG || OF_MUTANTS

/**
 * Compares with the answers of a file, or writes them.
 *
 * @param isAsked which of the recorded answers these are
 */
export async function expectAnswers(
  answers: Readonly<Record<string, unknown>>,
  file: string,
  isAsked: (name: string) => boolean,
): Promise<void> {
  if (IS_WHOLE) return await expect(shown(answers)).toMatchFileSnapshot(`answers/${file}`)
  const text = readFileSync(join(import.meta.dirname, 'answers', file), 'utf8')
  const recorded = Object.entries(JSON.parse(text) as Record<string, unknown>)
  const expected = Object.fromEntries(recorded.filter(([name]) => isAsked(name)))
  expect(Object.keys(answers)).not.toEqual([])
  expect(answers, 'the README beside this test says what to do').toEqual(expected)
}
