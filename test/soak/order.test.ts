import { expect, test } from 'vitest'
import { difference, findingsOf } from '../audit/orders.js'
import { temporaryFolder } from '../support/folder.js'

const ORDERS = Number(process.env.SOAK_ORDERS ?? 40)
const SEED = Number(process.env.SOAK_SEED ?? 2)

test(`${ORDERS} orders of nights, bars, snapshots, a file, kills and replays give the same findings`, async () => {
  const expected = await findingsOf(temporaryFolder(), 0)
  expect(expected['validities that overlap']).toEqual([])
  for (let seed = SEED; seed < SEED + ORDERS; seed++)
    expect(difference(expected, await findingsOf(temporaryFolder(), seed)), `SOAK_SEED=${seed}`).toEqual([])
})
