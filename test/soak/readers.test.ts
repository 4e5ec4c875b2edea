import { expect, test } from 'vitest'
import { readWhilePublishing } from '../support/readers.js'

const READERS = Number(process.env.SOAK_READERS ?? 10)
const PUBLICATIONS = Number(process.env.SOAK_PUBLICATIONS ?? 1000)

test(`${READERS} processes read while one publishes ${PUBLICATIONS} times: never an error, never a mixed state`, async () => {
  const reads = await readWhilePublishing(READERS, PUBLICATIONS)
  expect(reads.flatMap((read) => read.wrong)).toEqual([])
  for (const read of reads) expect(read.states).toBeGreaterThan(10)
})
