import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { joinSessions, months } from '../../src/plan/session-ranges.js'
import { compareTexts } from '../../src/plan/text-order.js'

const DAYS = ['2025-03-10', '2025-03-11', '2025-03-12', '2025-03-13', '2025-03-14'] as const
const [MON, TUE, WED, THU, FRI] = DAYS

describe('wanted sessions', () => {
  test('are joined over stored ones, which are counted', () => {
    expect(joinSessions([MON, WED, FRI], DAYS, () => true)).toEqual([
      { from: MON, to: FRI, wanted: 3, sessions: 5 },
    ])
    expect(joinSessions([TUE, WED], DAYS, () => true)).toEqual([
      { from: TUE, to: WED, wanted: 2, sessions: 2 },
    ])
  })

  test('stay apart where one request is not cheaper', () => {
    expect(joinSessions([MON, THU], DAYS, () => false)).toEqual([
      { from: MON, to: MON, wanted: 1, sessions: 1 },
      { from: THU, to: THU, wanted: 1, sessions: 1 },
    ])
    expect(joinSessions([], DAYS, () => true)).toEqual([])
  })

  test('are compared as one request over all sessions and as two', () => {
    const compared: unknown[] = []
    joinSessions([MON, TUE, FRI], DAYS, (together, apart) => {
      compared.push([together, ...apart])
      return true
    })
    expect(compared).toEqual([
      [2, 1, 1],
      [5, 2, 1],
    ])
  })

  test('are each in exactly one range, and ranges do not overlap', () => {
    fc.assert(
      fc.property(fc.subarray([...DAYS]), fc.nat(5), (wanted, most) => {
        const ranges = joinSessions(wanted, DAYS, (together) => together <= most)
        expect(ranges.flatMap(({ from, to }) => wanted.filter((day) => from <= day && day <= to))).toEqual(
          wanted,
        )
        for (const { from, to, wanted: count, sessions } of ranges) {
          expect(count).toBe(wanted.filter((day) => from <= day && day <= to).length)
          expect(sessions).toBe(DAYS.filter((day) => from <= day && day <= to).length)
        }
      }),
    )
  })
})

test('days are grouped by month, in their order', () => {
  expect(months(['2025-02-28', '2025-03-03', '2025-03-04', '2026-03-02'])).toEqual([
    ['2025-02-28'],
    ['2025-03-03', '2025-03-04'],
    ['2026-03-02'],
  ])
})

test('texts are ordered by their code units', () => {
  expect(['b', 'a', 'B', 'ä', 'a'].sort(compareTexts)).toEqual(['B', 'a', 'a', 'b', 'ä'])
  expect([compareTexts('a', 'b'), compareTexts('b', 'a'), compareTexts('a', 'a')]).toEqual([-1, 1, 0])
})
