import { expect, test } from 'vitest'
import { readWhilePublishing } from '../support/readers.js'

// Ten readers and a thousand publications: `make soak`.
test('processes that read while another publishes, merges and sweeps see no error and no mixed state', async () => {
  const reads = await readWhilePublishing(2, 8, 3)
  expect(reads.flatMap((read) => read.wrong)).toEqual([])
  for (const read of reads) expect(read.states).toBeGreaterThanOrEqual(3)
})
