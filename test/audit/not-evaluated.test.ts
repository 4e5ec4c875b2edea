import { expect, test } from 'vitest'
import { readRules } from '../../src/audit/rule.js'
import { notEvaluatedLines } from '../../src/run/verbs/check.js'

const result = (number: number, note: string | null, state: 'pass' | 'not_evaluable' = 'not_evaluable') => {
  const [rule] = readRules().filter((each) => each.number === number)
  if (!rule) throw new RangeError(`there is no rule ${number}`)
  const counts = { checked: 0, offenders: 0, relations: [] }
  return {
    rule,
    subject: 'market',
    tradingDate: '2025-03-14',
    state,
    severity: rule.severity,
    note,
    ...counts,
  }
}

test('check names the rules that could not be evaluated by their reason; what passed with a note is not among them', () => {
  const lines = notEvaluatedLines([
    result(24, 'No account was read for 2025-03-14.'),
    result(23, 'No account was read for 2025-03-14.'),
    result(5, 'The daily summary of HPG for 2025-03-13 is not stored.'),
    result(4, 'The percentage of HPG is missing.', 'pass'),
  ])
  expect(lines).toEqual([
    'not evaluated, rules 23, 24: No account was read for 2025-03-14.',
    'not evaluated, rule 5: The daily summary of HPG for 2025-03-13 is not stored.',
  ])
})

test('of many reasons check shows twelve and counts the others', () => {
  const lines = notEvaluatedLines(Array.from({ length: 15 }, (_, at) => result(5, `Reason ${at} is long.`)))
  expect(lines).toHaveLength(13)
  expect(lines.at(-1)).toBe('3 more reasons are in recon.finding.note')
})
