import { expect, test } from 'vitest'
import { barsInView } from '../../src/console/pages/chart/bars-in-view.js'

test.each<[string, [number, number], number, number, readonly number[] | undefined]>([
  ['from before the first bar', [-3.2, 10.4], 0, 100, [0, 11]],
  ['to behind the last one', [80.5, 120], 0, 100, [80, 99]],
  ['with points of the chart before the bars', [10, 20], -4, 100, [6, 16]],
  ['far to the right of many', [5000, 5120], 0, 6000, [5000, 5120]],
  ['as many as are drawn', [0, 1500], 0, 6000, [0, 1500]],
  ['one more', [0, 1501], 0, 6000, undefined],
])('bars in view: %s', (_, [from, to], shift, bars, expected) => {
  expect(barsInView({ from, to }, shift, bars)).toEqual(expected)
})
