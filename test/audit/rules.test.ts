import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readRules } from '../../src/audit/rule.js'
import { LONG } from '../support/long.js'
import { checkOne, type RuleCase, SESSION, type Situation, warehouseOf } from './world.js'

const folder = join(import.meta.dirname, 'cases')
const cases: RuleCase[] = []
for (const name of readdirSync(folder).sort())
  cases.push(((await import(join(folder, name))) as { default: RuleCase }).default)

/** What a person reads: a capital letter or a number, several words, a full stop. */
const SENTENCE = /^[A-Z\d][^ ]* [^ ]+ .*\.$/

test('every rule has a case where it holds, one where it is broken, one where it cannot be evaluated', () => {
  const lacking = readRules()
    .filter(({ number }) => {
      const ruleCase = cases.find((each) => each.rule === number)
      const broken = [...(ruleCase?.breaks ?? []), ...(ruleCase?.flags ?? [])]
      return !ruleCase || ruleCase.holds.length === 0 || broken.length === 0 || ruleCase.silent.length === 0
    })
    .map(
      ({ number }) =>
        `rule ${number} lacks a case: add it to test/audit/cases/${String(number).padStart(2, '0')}_….ts`,
    )
  expect(lacking).toEqual([])
})

for (const { rule, on = SESSION, strict = [], holds, breaks, flags = [], silent } of cases) {
  const { title } = readRules().find(({ number }) => number === rule) ?? { title: '' }
  // One case of every third rule fills what the rule does not read too, and when it arrived; in the long form all cases do.
  const [inFull] = LONG || rule % 3 === 0 ? [...breaks, ...flags] : []
  const check = async (situation: Situation) => {
    const evidence = LONG || situation === inFull ? 'all' : 'read'
    const database = await warehouseOf(situation.given)
    const checked = await checkOne(database, rule, situation.on ?? on, strict, evidence)
    if (situation === inFull) expect(await database.rows('FROM evidence_arrival')).not.toEqual([])
    return checked
  }
  describe(`rule ${rule}, ${title}`, () => {
    test.each(holds)('holds where $when', async (situation) => {
      const { results, offenders } = await check(situation)
      expect(offenders).toEqual([])
      expect(results.map(({ state }) => state)).toContain('pass')
      expect(results.filter(({ state }) => state === 'break' || state === 'soft')).toEqual([])
    })
    test.each(breaks)('is broken where $when', async (situation) => {
      const { results, offenders } = await check(situation)
      expect(results.map(({ state }) => state)).toContain('break')
      expect(offenders.filter(({ state }) => state === 'break')).toMatchObject(situation.offenders)
    })
    test.each(flags)('is soft where $when', async (situation) => {
      const { results, offenders } = await check(situation)
      expect(results.map(({ state }) => state)).toContain('soft')
      expect(results.map(({ state }) => state)).not.toContain('break')
      expect(offenders).toMatchObject(situation.offenders)
    })
    test.each(silent)('cannot be evaluated where $when', async (situation) => {
      const { results } = await check(situation)
      expect(results.length).toBeGreaterThan(0)
      expect(results.map(({ state }) => state)).not.toContain('pass')
      expect(results.map(({ state }) => state)).not.toContain('break')
      expect(results.map(({ note }) => note).join()).toMatch(new RegExp(situation.note, 'i'))
      for (const { state, note } of results)
        if (state === 'not_evaluable') expect(note, 'the reason is a sentence').toMatch(SENTENCE)
    })
  })
}
