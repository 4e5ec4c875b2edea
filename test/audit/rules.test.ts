import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readRules } from '../../src/audit/rule.js'
import { judgeOne, type RuleCase, SESSION, type Situation, warehouseOf } from './world.js'

const folder = join(import.meta.dirname, 'cases')
const cases: RuleCase[] = []
for (const name of readdirSync(folder).sort())
  cases.push(((await import(join(folder, name))) as { default: RuleCase }).default)

test('every rule has a case where it holds, one where it is broken, one where it cannot be judged', () => {
  const lacking = readRules()
    .filter(({ number }) => {
      const mine = cases.find((each) => each.rule === number)
      const broken = [...(mine?.breaks ?? []), ...(mine?.flags ?? [])]
      return !mine || mine.holds.length === 0 || broken.length === 0 || mine.silent.length === 0
    })
    .map(({ number }) => number)
  expect(lacking).toEqual([])
})

for (const { rule, on = SESSION, strict = [], holds, breaks, flags = [], silent } of cases) {
  const { title } = readRules().find(({ number }) => number === rule) ?? { title: '' }
  const judged = async ({ given }: Situation) => await judgeOne(await warehouseOf(given), rule, on, strict)
  describe(`rule ${rule}, ${title}`, () => {
    test.each(holds)('holds where $when', async (situation) => {
      const { verdicts, offenders } = await judged(situation)
      expect(offenders).toEqual([])
      expect(verdicts.map(({ state }) => state)).toContain('pass')
      expect(verdicts.filter(({ state }) => state === 'break' || state === 'soft')).toEqual([])
    })
    test.each(breaks)('is broken where $when', async (situation) => {
      const { verdicts, offenders } = await judged(situation)
      expect(verdicts.map(({ state }) => state)).toContain('break')
      expect(offenders.filter(({ state }) => state === 'break')).toMatchObject(situation.told)
    })
    test.each(flags)('is soft where $when', async (situation) => {
      const { verdicts, offenders } = await judged(situation)
      expect(verdicts.map(({ state }) => state)).toContain('soft')
      expect(verdicts.map(({ state }) => state)).not.toContain('break')
      expect(offenders).toMatchObject(situation.told)
    })
    test.each(silent)('cannot be judged where $when', async (situation) => {
      const { verdicts } = await judged(situation)
      expect(verdicts.length).toBeGreaterThan(0)
      expect(verdicts.map(({ state }) => state)).not.toContain('pass')
      expect(verdicts.map(({ state }) => state)).not.toContain('break')
      expect(verdicts.map(({ note }) => note).join()).toMatch(situation.note)
    })
  })
}
