import { expect, test } from 'vitest'
import { InterruptedError } from '../../../src/errors.js'
import { temporaryFolder } from '../../support/folder.js'
import { expectCode } from '../support/nights.js'
import { undueDifferences } from './support/evenings.js'
import { runNight, service } from './support/world.js'

test('a first night that is stopped before most candles: the next one, whose sessions begin later, requests its sessions too', async () => {
  const standIn = await service(1)
  const cwd = temporaryFolder()
  const stop = new AbortController()
  const stopping = (text: string): string => {
    stop.abort(new InterruptedError(130))
    return text
  }
  standIn.setOptions({ faults: [{ kind: 'body', transform: stopping, match: { path: '/data/ohlc' } }] })
  expectCode(await runNight(standIn, cwd, 1, { accounts: false, signal: stop.signal }), 130)
  standIn.setOptions({ faults: [] })
  standIn.turn(2)
  expectCode(await runNight(standIn, cwd, 2, { accounts: false }), 0)
  expect(await undueDifferences(cwd, 2, () => false, false)).toEqual([])
})
