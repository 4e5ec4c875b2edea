import { expect, test } from 'vitest'
import { temporaryFolder } from '../support/folder.js'
import { difference, findingsOf } from './orders.js'

test('nights, a backfill and a file give the same findings in any order, with kills between, and after a replay', async () => {
  const expected = await findingsOf(temporaryFolder(), 0)
  expect(expected['recon.offender']?.length).toBeGreaterThan(20)
  expect(difference(expected, await findingsOf(temporaryFolder(), 1))).toEqual([])
})
