import { expect, test } from 'vitest'
import { temporaryFolder } from '../support/folder.js'
import { difference, findingsOf, rulesAtFault } from './orders.js'

/** Of seven: the soak program has all of them, in orders of its own. Rules 23 and 25 need three. */
const SESSIONS = 2

test('nights, bars, snapshots of an account and a file give the same findings in any order, with kills between, and after a replay, as checked at once', async () => {
  const inTime = await findingsOf(temporaryFolder(), 0, SESSIONS)
  expect(inTime['recon.offender']?.length).toBeGreaterThan(20)
  expect(inTime['validities that overlap']).toEqual([])
  expect(rulesAtFault(inTime)).toEqual(expect.arrayContaining(['9', '27', '32']))
  expect(difference(inTime, await findingsOf(temporaryFolder(), 1, SESSIONS))).toEqual([])
})
