import { expect, test } from 'vitest'
import { trustedRules } from '../../src/audit/index.js'
import { type Row, warehouseOf } from './world.js'

const day = (at: number): string => new Date(Date.UTC(2025, 0, 1 + at)).toISOString().slice(0, 10)
const findings = (rule: number, states: readonly string[]): Row[] =>
  states.map((state, at) => ({ rule, title: 'held', subject: '0001234561', trading_date: day(at), state }))
const passes = (count: number): string[] => Array<string>(count).fill('pass')

test('a rule that rests on unexplained fields could be listed once it has passed 20 sessions in a row', async () => {
  const given = (rule: number, states: readonly string[]) => ({ 'recon.finding': findings(rule, states) })
  expect(await trustedRules(await warehouseOf(given(23, passes(19))))).toEqual([])
  expect(await trustedRules(await warehouseOf(given(23, passes(20))))).toEqual([
    { rule: 23, title: 'held', account: '0001234561', sessions: 20 },
  ])
  // A session that could not be evaluated neither counts nor ends the series; a soft one begins it anew.
  expect(
    await trustedRules(await warehouseOf(given(23, ['soft', ...passes(19), 'not_evaluable', 'pass']))),
  ).toEqual([{ rule: 23, title: 'held', account: '0001234561', sessions: 20 }])
  expect(await trustedRules(await warehouseOf(given(23, [...passes(20), 'soft', 'pass'])))).toEqual([])
  // Rules that are understood are strict from the first day.
  expect(await trustedRules(await warehouseOf(given(24, passes(30))))).toEqual([])
})
