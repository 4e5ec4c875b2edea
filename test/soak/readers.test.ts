import { expect, test } from 'vitest'
import { readWhilePublishing } from '../support/readers.js'

const READERS = Number(process.env.SOAK_READERS ?? 10)
const PUBLICATIONS = Number(process.env.SOAK_PUBLICATIONS ?? 1000)
/** States that every reader meets. */
const STATES = Math.min(11, PUBLICATIONS)

test(`${READERS} processes read while one publishes ${PUBLICATIONS} times: never an error, never a mixed state`, async () => {
  const reads = await readWhilePublishing(READERS, PUBLICATIONS, STATES)
  expect(reads.flatMap((read) => read.wrong)).toEqual([])
  for (const read of reads) expect(read.states).toBeGreaterThanOrEqual(STATES)
})
