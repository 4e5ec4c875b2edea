import { describe, expect, it } from 'vitest'
import { reconcileConditional, reconcileConditionalCancel } from '../../src/index.js'
import { losing } from '../support/lost-orders.js'
import type { Said } from '../support/service.js'
import { SMALLEST } from '../support/trading.js'

describe('a conditional order whose answer was lost', () => {
  const listed = (fcoId: string, changes: object = {}) => ({
    fcoId,
    accountNo: SMALLEST.accountNo,
    symbol: 'FPT',
    type: 'gtd',
    quantity: 100,
    from: '2025/01/02 17:00:01',
    status: 'INIT',
    params: { side: 'B' },
    ...changes,
  })

  const list = (fcoList: readonly object[], itemsCount = fcoList.length): Said => ({
    body: { pageIndex: '1', pageSize: '1000', itemsCount: String(itemsCount), pagesCount: '1', fcoList },
  })

  async function reconciled(said: Said, date?: string) {
    let result: Awaited<ReturnType<typeof reconcileConditional>> | undefined
    let asked: Record<string, string> = {}
    await losing(
      () => said,
      async ({ client, service }) => {
        const lost = await client.trading.placeConditionalOrder({ ...SMALLEST, type: 'gtd' })
        if (lost.kind !== 'unknown') throw new Error(lost.kind)
        result = await reconcileConditional(client.accounts, lost)
        asked = service.asked('/fco/list')[0]?.query ?? {}
      },
      date,
    )
    return { result, asked }
  }

  const others = [
    listed('2', { quantity: 200 }),
    listed('3', { params: { side: 'S' } }),
    listed('4', { type: 'stop' }),
    listed('5', { symbol: 'VCB' }),
  ]

  it('is found by its fields, in the list without any other filter', async () => {
    const { result, asked } = await reconciled(list([listed('1'), ...others]))
    expect(result).toMatchObject({ kind: 'found', effect: 'done', order: { fcoId: '1' } })
    expect(asked).toEqual({ accountNo: SMALLEST.accountNo, pageIndex: '1', pageSize: '1000' })
  })

  it('is found in a list of many pages whose orders have equal parameters', async () => {
    const fcoList = [listed('1', { quantity: 200 }), listed('2', { quantity: 300 }), listed('3')]
    await losing(
      ({ query }) => ({
        body: {
          pageIndex: query.pageIndex,
          pageSize: '1',
          itemsCount: '3',
          pagesCount: '3',
          fcoList: fcoList.slice(Number(query.pageIndex) - 1, Number(query.pageIndex)),
        },
      }),
      async ({ client }) => {
        const lost = await client.trading.placeConditionalOrder({ ...SMALLEST, type: 'gtd' })
        if (lost.kind !== 'unknown') throw new Error(lost.kind)
        expect(await reconcileConditional(client.accounts, lost)).toMatchObject({
          kind: 'found',
          order: { fcoId: '3' },
        })
      },
    )
  })

  it('is absent when the whole list holds none alike', async () => {
    expect((await reconciled(list(others))).result).toEqual({ kind: 'absent' })
    expect((await reconciled({ body: { code: 204 } })).result).toEqual({ kind: 'absent' })
  })

  it.each<[string, Said, readonly string[], string?]>([
    ['several are alike', list([listed('1'), listed('2')]), ['1', '2']],
    ['the one alike is older', list([listed('1', { from: '2024/12/31 09:00:00' })]), ['1']],
    ['the one alike begins at another time', list([listed('1', { from: '2025/01/02 16:00:00' })]), ['1']],
    ['the one alike has no time', list([listed('1', { from: '' })]), ['1']],
    ['the list is short', list([listed('1')], 2), ['1']],
    ['the list is short and none is alike', list(others, 5), []],
    ['no answer shows the day of the service', list(others), [], ''],
    ['the list is refused', { status: 400, body: { code: '400', msg: 'no' } }, []],
    [
      'a quantity cannot be read',
      list([listed('1', { quantity: '?' }), listed('2', { params: null })]),
      ['1', '2'],
    ],
  ])('is unknown, never absent, when %s, and candidates are named', async (_, said, candidates, date) => {
    const { result } = await reconciled(said, date)
    expect(result).toMatchObject({ kind: 'unknown', candidates: candidates.map((fcoId) => ({ fcoId })) })
  })
})

describe('a cancel of a conditional order whose answer was lost', () => {
  it.each<[readonly string[], string]>([
    [['INIT', 'WAIT'], 'unseen'],
    [['INIT', 'WAIT', 'TRI', 'TRIT', 'WC'], 'pending'],
    [['INIT', 'WAIT', 'TER'], 'done'],
    [['INIT', 'WAIT', 'TRI', 'TRIT', 'FIS'], 'over'],
    [['EXP', 'INIT'], 'over'],
  ])('and a history of %j: %s', async (states, effect) => {
    await losing(
      () => ({ body: { data: states.map((state) => ({ state, time: '', code: 0, detail: '' })) } }),
      async ({ client }) => {
        const lost = await client.trading.cancelConditionalOrder({ fcoId: '9' })
        if (lost.kind !== 'unknown') throw new Error(lost.kind)
        const result = await reconcileConditionalCancel(client.accounts, lost)
        expect(result).toEqual({ kind: 'found', effect, states })
      },
    )
  })

  it.each<[string, Said]>([
    ['is empty', { body: { data: [] } }],
    ['is refused', { status: 404, body: { code: '404', msg: 'no such order' } }],
    ['cannot be read', { body: { data: [{ state: 'INIT' }, 'x'] } }],
  ])('is unknown when the history %s', async (_, said) => {
    await losing(
      () => said,
      async ({ client }) => {
        const lost = await client.trading.cancelConditionalOrder({ fcoId: '9' })
        if (lost.kind !== 'unknown') throw new Error(lost.kind)
        expect(await reconcileConditionalCancel(client.accounts, lost)).toMatchObject({ kind: 'unknown' })
      },
    )
  })
})
