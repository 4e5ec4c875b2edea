import { expect, test } from 'vitest'
import { temporaryFolder } from '../support/folder.js'
import { difference, findingsOf, rulesAtFault } from './orders.js'

test('nights, bars, snapshots of an account and a file give the same findings in any order, with kills between, and after a replay', async () => {
  const expected = await findingsOf(temporaryFolder(), 0)
  expect(expected['recon.offender']?.length).toBeGreaterThan(20)
  expect(rulesAtFault(expected)).toEqual(expect.arrayContaining(['9', '23', '25', '27', '32']))
  expect(difference(expected, await findingsOf(temporaryFolder(), 1))).toEqual([])
})
