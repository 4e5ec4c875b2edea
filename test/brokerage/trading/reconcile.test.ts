import { describe, expect, it } from 'vitest'
import { reconcile, reconcileConditional, reconcileConditionalCancel } from '../../../src/index.js'
import { type Said, type Seen, withLogin } from '../support/service.js'
import { CONDITIONAL, ORDER, SMALLEST, type TradingStage, tradingStage } from '../support/trading.js'

/** The instant the fake clock stands at, by the service's own clock. */
const DATE = 'Thu, 02 Jan 2025 10:00:00 GMT'

const entry = (clientRequestId: string, orderId: string, changes: object = {}) => ({
  clientRequestId,
  orderId,
  symbol: 'FPT',
  side: 'B',
  orderType: 'LO',
  quantity: '100',
  price: '150000',
  filledQty: '0',
  cancelQty: '0',
  avgPrice: '0',
  inputTime: '2025/01/02 17:00:00',
  modifiedTime: '',
  orderStatus: 'QU',
  message: '',
  ...changes,
})

const book = (orders: readonly unknown[], totalRecord: number | undefined = orders.length): Said => ({
  body: { data: { accountNo: SMALLEST.accountNo, totalRecord, orderList: orders } },
})

/** A book that answers each page by itself, from orders that are in it for the days asked. */
const paged =
  (orders: readonly object[], isShown: (request: Seen, order: object) => boolean = () => true) =>
  (request: Seen): Said => {
    const shown = orders.filter((order) => isShown(request, order))
    const size = Number(request.query.pageSize)
    const start = (Number(request.query.pageIndex) - 1) * size
    return book(shown.slice(start, start + size), shown.length)
  }

/** Writes are lost; `read` answers the rest, with a `Date` unless it says otherwise. */
const losing = (
  read: (request: Seen, nth: number) => Said,
  act: (stage: TradingStage) => Promise<void>,
  date: string | undefined = DATE,
) =>
  tradingStage(
    withLogin((request, nth) => {
      if (request.path === ORDER || request.path === CONDITIONAL) return { reset: true }
      const said = read(request, nth)
      return date === '' ? said : { ...said, headers: { date, ...said.headers } }
    }),
    act,
  )

async function lostOrder({ client }: TradingStage, clientRequestId?: string) {
  const lost = await client.trading.placeOrder(
    clientRequestId === undefined ? SMALLEST : { ...SMALLEST, clientRequestId },
  )
  if (lost.kind !== 'unknown') throw new Error(lost.kind)
  return lost
}

const days = (stage: TradingStage) =>
  stage.service.asked('/orderBook').map(({ query: { from, to, pageIndex } }) => ({ from, to, pageIndex }))

describe('an order whose answer was lost', () => {
  it('is found by its clientRequestId on any page of the whole book, whatever day it is', async () => {
    const others = Array.from({ length: 1000 }, (_, nth) => entry(`other-${nth}`, `1${nth}`))
    const orders: object[] = [...others]
    await losing(paged(orders), async (stage) => {
      const lost = await lostOrder(stage)
      orders.push(entry(lost.clientRequestId, '77', { inputTime: '2019/05/05 09:00:00' }))
      expect(await reconcile(stage.client.accounts, lost)).toMatchObject({
        kind: 'found',
        effect: 'done',
        order: { orderId: '77', orderStatus: 'QU' },
      })
      expect(days(stage)).toEqual([
        { from: undefined, to: undefined, pageIndex: '1' },
        { from: undefined, to: undefined, pageIndex: '2' },
      ])
    })
  })

  it("is looked for around the service's day where the book without days lacks it", async () => {
    const orders: object[] = []
    await losing(
      paged(orders, ({ query }) => query.from !== undefined),
      async (stage) => {
        // The machine lives two days later than the service.
        stage.effects.advance(2 * 86_400_000)
        const lost = await lostOrder(stage)
        orders.push(entry(lost.clientRequestId, '77'))
        expect(await reconcile(stage.client.accounts, lost)).toMatchObject({ kind: 'found' })
        expect(days(stage)[1]).toMatchObject({ from: '2025-01-01T00:00:00', to: '2025-01-03T23:59:59' })
      },
    )
  })

  it('is absent when the whole book was read and counted, and may be found a moment later', async () => {
    const orders = [entry('other', '1')]
    await losing(paged(orders), async (stage) => {
      const lost = await lostOrder(stage)
      expect(await reconcile(stage.client.accounts, lost)).toEqual({ kind: 'absent' })
      orders.push(entry(lost.clientRequestId, '2'))
      expect(await reconcile(stage.client.accounts, lost)).toMatchObject({ kind: 'found' })
    })
  })

  it.each<[string, Said]>([
    ['{"code":204}', { body: { code: 204 } }],
    ['HTTP 204', { status: 204 }],
    ['a count of 0', book([])],
  ])('is absent from an empty book: %s', async (_, said) => {
    await losing(
      () => said,
      async (stage) => {
        expect(await reconcile(stage.client.accounts, await lostOrder(stage))).toEqual({ kind: 'absent' })
      },
    )
  })

  it('is absent where the book without days is only of today, but a year on either side is whole', async () => {
    const before = entry('other', '1', { inputTime: '2025/01/01 17:00:00' })
    await losing(
      paged([before], ({ query }) => query.from !== undefined),
      async (stage) => {
        expect(await reconcile(stage.client.accounts, await lostOrder(stage))).toEqual({ kind: 'absent' })
        expect(days(stage).map(({ from }) => from?.slice(0, 10))).toEqual([
          undefined,
          '2025-01-01',
          '2024-01-02',
        ])
      },
    )
  })

  const other = entry('other', '1')
  it.each<[string, (request: Seen, nth: number) => Said, RegExp]>([
    [
      'is cut short',
      ({ query }) => book(query.pageIndex === '1' ? [other] : [], 3),
      /1 rows where itemsCount says 3/,
    ],
    ['answers one page for all', () => book([other], 3), /page 2 repeats page 1/],
    [
      'is short at first and empty later',
      (_, nth) => (nth === 1 ? book([other], 3) : book([])),
      /itemsCount|lacks 1/,
    ],
    ['counts less than it shows', () => book([other, entry('b', '2')], 1), /2 rows|2 records/],
    ['states no count', () => ({ body: { data: { orderList: [other] } } }), /no count/],
    ['is empty without a count', () => ({ body: { data: { orderList: [] } } }), /no count/],
    [
      'shows an order twice to fill its count',
      () => book([other, other], 2),
      /1 records where the count is 2/,
    ],
    ['is refused', () => ({ status: 403, body: { code: '403', msg: 'no OTP' } }), /403 no OTP/],
    [
      'is refused for days',
      ({ query }) => (query.from ? { status: 403, body: { code: '403', msg: 'range' } } : book([other])),
      /403 range/,
    ],
    ['has a record that is not an order', () => book(['?'], 1), /orderList\[0\]: not an object/],
    ['has an order without orderId', () => book([entry('other', '')]), /no id/],
  ])('is unknown, never absent, when the book %s', async (_, read, reason) => {
    await losing(read, async (stage) => {
      expect(await reconcile(stage.client.accounts, await lostOrder(stage))).toEqual({
        kind: 'unknown',
        reason: expect.stringMatching(reason),
        hint: expect.stringContaining('do not send the write again'),
        candidates: [],
      })
    })
  })

  it('is unknown, never absent, when no answer shows the day of the service', async () => {
    await losing(
      paged([other]),
      async (stage) => {
        expect(await reconcile(stage.client.accounts, await lostOrder(stage))).toMatchObject({
          kind: 'unknown',
          reason: expect.stringContaining('Date header'),
        })
        // A day more on either side than with a date.
        expect(days(stage)[1]).toMatchObject({ from: '2024-12-31T00:00:00', to: '2025-01-04T23:59:59' })
      },
      '',
    )
  })

  it('is found though the book writes ids in capital letters', async () => {
    const orders: object[] = []
    await losing(paged(orders), async (stage) => {
      const lost = await lostOrder(stage)
      orders.push(entry(` ${lost.clientRequestId.toUpperCase()}`, '5'))
      expect(await reconcile(stage.client.accounts, lost)).toMatchObject({ kind: 'found' })
    })
  })

  it('is unknown where the book shows an order alike without an id, of this day and not of an earlier one', async () => {
    const orders = [entry('', '1'), entry('', '2', { quantity: '200' })]
    await losing(paged(orders), async (stage) => {
      const lost = await lostOrder(stage)
      expect(await reconcile(stage.client.accounts, lost)).toMatchObject({
        kind: 'unknown',
        candidates: [{ orderId: '1' }],
      })
      orders.splice(0, 2, entry('', '1', { inputTime: '2025/01/01 17:00:00' }))
      expect(await reconcile(stage.client.accounts, lost)).toEqual({ kind: 'absent' })
    })
  })

  it('that carries an id of the caller is not taken for the one of an earlier day', async () => {
    const orders = [entry('1', '70', { inputTime: '2025/01/01 16:00:00' })]
    await losing(paged(orders), async (stage) => {
      const lost = await lostOrder(stage, '1')
      expect(await reconcile(stage.client.accounts, lost)).toMatchObject({
        kind: 'unknown',
        reason: expect.stringContaining('before this write'),
        candidates: [{ orderId: '70' }],
      })
      orders.unshift(entry('1', '77'))
      expect(await reconcile(stage.client.accounts, lost)).toMatchObject({
        kind: 'unknown',
        candidates: [{ orderId: '77' }, { orderId: '70' }],
      })
      orders.pop()
      expect(await reconcile(stage.client.accounts, lost)).toMatchObject({
        kind: 'found',
        order: { orderId: '77' },
      })
    })
  })
})

describe('a change whose answer was lost', () => {
  it('is looked up by the orderId it was named by', async () => {
    await losing(
      () => book([entry('a', '1'), entry('b', '2', { orderStatus: 'WC' })]),
      async (stage) => {
        const lost = await stage.client.trading.cancelOrder({ ...SMALLEST, orderId: '2' })
        if (lost.kind !== 'unknown') throw new Error(lost.kind)
        expect(lost.clientCancelId).toMatch(/^.{20}$/)
        expect(await reconcile(stage.client.accounts, lost)).toMatchObject({
          kind: 'found',
          effect: 'pending',
          order: { clientRequestId: 'b' },
        })
      },
    )
  })

  it('is looked for from 14 days before the write on', async () => {
    await losing(paged([entry('a', '1')]), async (stage) => {
      const lost = await stage.client.trading.cancelOrder({ ...SMALLEST, orderId: '2' })
      if (lost.kind !== 'unknown') throw new Error(lost.kind)
      expect(await reconcile(stage.client.accounts, lost)).toEqual({ kind: 'absent' })
      expect(days(stage)[1]?.from).toBe('2024-12-18T00:00:00')
    })
  })

  it.each([
    ['CL', {}, 'done'],
    ['FFPC', { filledQty: '40', cancelQty: '60' }, 'done'],
    ['WC', {}, 'pending'],
    ['QU', {}, 'unseen'],
    ['PF', { filledQty: '40' }, 'unseen'],
    ['WM', {}, 'unseen'],
    ['FF', { filledQty: '100' }, 'over'],
    ['RJ', {}, 'over'],
    ['EX', {}, 'over'],
  ])('a cancel and an order in %s', async (orderStatus, changes, effect) => {
    await losing(
      () => book([entry('a', '1', { orderStatus, ...changes })]),
      async (stage) => {
        const lost = await stage.client.trading.cancelOrder({ ...SMALLEST, clientRequestId: 'a' })
        if (lost.kind !== 'unknown') throw new Error(lost.kind)
        expect(await reconcile(stage.client.accounts, lost)).toMatchObject({ kind: 'found', effect })
      },
    )
  })

  it.each<[object, object, string]>([
    [{ price: '151000' }, { price: '151,000.0' }, 'done'],
    [{ price: '151000' }, {}, 'unseen'],
    [{ price: '151000' }, { orderStatus: 'WM' }, 'pending'],
    [{ price: '151000' }, { orderStatus: 'FF' }, 'over'],
    [{ price: '151000' }, { orderStatus: 'FF', price: '151000' }, 'done'],
    [{ quantity: 200 }, { quantity: '200' }, 'done'],
    [{ quantity: 200 }, { quantity: '300' }, 'unseen'],
    [{ price: '151000', quantity: 200 }, { quantity: '200' }, 'unseen'],
    [{}, {}, 'unseen'],
  ])('a change to %j and an order that shows %j: %s', async (change, shown, effect) => {
    const { price: _, quantity: __, ...named } = SMALLEST
    await losing(
      () => book([entry('a', '1', shown)]),
      async (stage) => {
        const lost = await stage.client.trading.modifyOrder({ ...named, ...change, clientRequestId: 'a' })
        if (lost.kind !== 'unknown') throw new Error(lost.kind)
        expect(await reconcile(stage.client.accounts, lost)).toMatchObject({ kind: 'found', effect })
      },
    )
  })

  it('is unknown when several orders have the id it was named by', async () => {
    await losing(
      () => book([entry('a', '1'), entry('a', '2')]),
      async (stage) => {
        const lost = await stage.client.trading.cancelOrder({ ...SMALLEST, clientRequestId: 'a' })
        if (lost.kind !== 'unknown') throw new Error(lost.kind)
        expect(await reconcile(stage.client.accounts, lost)).toMatchObject({
          kind: 'unknown',
          candidates: [{ orderId: '1' }, { orderId: '2' }],
        })
      },
    )
  })
})

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
