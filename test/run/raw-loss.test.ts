import { expect, test } from 'vitest'
import { comparisonNotes } from '../../src/run/lifecycle/raw-loss.js'

const nothing = { losses: [], damagedLines: [], unloaded: [], unusable: new Set<string>() }

test('a replay says what it has compared raw/ with, or that there was nothing', () => {
  expect(comparisonNotes({ ...nothing, ledgers: [] })).toEqual([
    'there was nothing to compare raw/ with: no warehouse and no published lake could be read',
  ])
  expect(comparisonNotes({ ...nothing, ledgers: ['the warehouse'] })).toEqual([
    'every page that the warehouse has is in raw/',
  ])
  expect(comparisonNotes({ ...nothing, ledgers: ['the warehouse', 'the lake'] })).toEqual([
    'every page that the warehouse and the lake have is in raw/',
  ])
})
