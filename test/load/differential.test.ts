import { expect, test } from 'vitest'
import { compareReaders } from './differential.js'

test('10,000 damaged pages: the proof, JSON.parse, the reader of records and DuckDB agree on each', async () => {
  const { accepted, plain } = await compareReaders(10_000, 20_250_314)
  expect(accepted).toBeGreaterThan(1000)
  expect(plain).toBeGreaterThan(250)
})
