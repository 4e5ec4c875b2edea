import { nearestNames } from 'candlehouse-foundation/nearest-names'
import { expect, test } from 'vitest'
import { refuseUnknownSymbols } from '../../src/plan/symbol-names.js'

const KNOWN = ['ACB', 'CTG', 'FPT', 'FTS', 'HPG', 'NTP', 'VCB', '41I1F4000']

test.each([
  ['FTP', ['FPT', 'FTS', 'NTP']],
  ['fpt', ['FPT']],
  ['FPTT', ['FPT', 'FTS']],
  ['VBC', ['VCB', 'ACB']],
  ['41I1F400', ['41I1F4000']],
  ['XXXXXX', []],
])('%s is nearest to %j: neighbours swapped are one edit', (symbol, nearest) => {
  expect(nearestNames(symbol, KNOWN)).toEqual(nearest)
})

test('an unknown symbol without a similar one is named alone; none is no error', () => {
  expect(() => refuseUnknownSymbols(['XXXXXX', 'FTP'], KNOWN)).toThrow(
    '--symbols: no such symbol: XXXXXX; FTP (nearest: FPT, FTS, NTP)',
  )
  expect(() => refuseUnknownSymbols([], KNOWN)).not.toThrow()
})
