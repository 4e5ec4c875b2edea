import { expect, test } from 'vitest'
import { holdsOn } from '../../src/market/reference.js'

test('a dated row holds from its first day to its last one; without a last one for ever', () => {
  const days = ['2024-12-31', '2025-01-01', '2025-06-30', '2025-07-01']
  const held = (validTo: string): boolean[] =>
    days.map((day) => holdsOn({ validFrom: '2025-01-01', validTo }, day))
  expect(held('2025-06-30')).toEqual([false, true, true, false])
  expect(held('')).toEqual([false, true, true, true])
})
