import { expect, test } from 'vitest'
import { compareReaders } from './differential.js'

test('20,000 damaged pages: the proof, JSON.parse, the reader of records and DuckDB agree on each', async () => {
  const { accepted, plain } = await compareReaders(20_000, 20_250_314)
  expect(accepted).toBeGreaterThan(2000)
  expect(plain).toBeGreaterThan(500)
})
