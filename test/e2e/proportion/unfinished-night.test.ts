import { join } from 'node:path'
import { InterruptedError } from 'candlehouse-foundation/errors'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../support/folder.js'
import { landWalks, type TestWalk } from '../../support/landed.js'
import { LONG } from '../../support/long.js'
import { ask } from '../../support/published.js'
import { expectCode } from '../support/nights.js'
import { undueDifferences } from './support/evenings.js'
import { homeAfter, runNight, service, sessionOf } from './support/world.js'

test('a first night that is stopped before most candles: the next one, whose sessions begin later, requests its sessions too', async () => {
  const standIn = await service(1)
  const cwd = temporaryFolder()
  const stop = new AbortController()
  const stopping = (text: string): string => {
    stop.abort(new InterruptedError(130))
    return text
  }
  standIn.setOptions({ faults: [{ kind: 'body', transform: stopping, match: { path: '/data/ohlc' } }] })
  expectCode(await runNight(standIn, cwd, 1, { signal: stop.signal, accounts: LONG }), 130)
  standIn.setOptions({ faults: [] })
  standIn.turn(2)
  expectCode(await runNight(standIn, cwd, 2, { accounts: LONG }), 0)
  const minutes = await ask(
    join(cwd, 'data'),
    `SELECT symbol, local_time FROM market.candle WHERE timeframe = '1m' AND NOT is_derived ORDER BY ALL`,
  )
  const days = [0, 1, 2].map(sessionOf)
  const served = standIn.market.minutes
    .map(({ symbol, tradingDate }) => ({ symbol, local_time: tradingDate.replaceAll('/', '-') }))
    .filter(({ local_time }) => days.includes(local_time.slice(0, 10)))
  expect(minutes).toHaveLength(served.length)
  expect(minutes).toEqual(expect.arrayContaining(served))
  if (LONG) expect(await undueDifferences(cwd, 2, () => false)).toEqual([])
})

test('a killed run of an earlier evening lacks a symbol that is stored: the next night, of other sessions, requests its session again', async () => {
  const standIn = await service(3)
  const cwd = await homeAfter(1)
  const day = sessionOf(0)
  const isOf = (symbol: string, tradingDate: string): boolean =>
    symbol !== 'HPG' && tradingDate.replaceAll('/', '-') === day
  const killed: TestWalk = {
    window: { dataset: 'securitiesSummary', key: '*', timeframe: '', from: day, to: day },
    bodies: [{ data: standIn.market.summaries.filter((row) => isOf(row.symbol, row.tradingDate)) }],
  }
  await landWalks(join(cwd, 'data'), [killed], {
    run: '20260303T120000000Z-0001',
    tradingDate: sessionOf(1),
    receivedAt: '2026-03-03T12:00:00.000Z',
  })
  expectCode(await runNight(standIn, cwd, 3, { accounts: false }), 0)
  const asked = standIn.requests.filter(({ path }) => path.endsWith('/securitiesSummary'))
  const dated = asked.map(({ query }) => JSON.stringify(Object.values(query)).replaceAll('/', '-'))
  expect(dated.filter((query) => query.includes(day))).toHaveLength(1)
})
