// Ways in which a service can break its specification, as changes of what it is asked and of what it answers. Each
// stands between the suite and the sandbox: the suite has to notice.

type Json = Record<string, unknown> | unknown[]

export interface Mutation {
  readonly id: string
  /** End of the path it applies to. */
  readonly path: string
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Begin of the ids of the checks that could notice. */
  readonly checks: readonly string[]
  /** Changes the query before it is asked. */
  readonly query?: (query: URLSearchParams) => void
  /** Changes a body before it is sent. */
  readonly sends?: (body: Record<string, unknown>) => Record<string, unknown>
  /** Changes a request's headers: what the service overlooks is put right for it. */
  readonly headers?: (headers: Record<string, string>) => Record<string, string>
  /** Changes the answer. */
  readonly answers?: (body: Json, status: number) => Json
  readonly status?: (status: number) => number
  /** Live deployments are known to do it: the result is `known`. */
  readonly isKnown?: boolean
}

type Row = Record<string, unknown>

/** Where an endpoint's records are. */
interface Resource {
  readonly path: string
  readonly checks: readonly string[]
  readonly records: (body: Json) => Row[]
  readonly fields: readonly string[]
}

const data = (body: Json): Row[] => ((body as Row).data as Row[] | undefined) ?? []
const inside = (body: Json, name: string): Row[] =>
  (((body as Row).data as Row | undefined)?.[name] as Row[] | undefined) ?? []

const RESOURCES: readonly Resource[] = [
  {
    path: '/securitiesByBoard',
    checks: ['securities'],
    records: (body) => body as Row[],
    fields: ['symbol', 'board', 'lotSize', 'icbCode', 'listedShare', 'iNav'],
  },
  {
    path: '/securitiesSummary',
    checks: ['summary'],
    records: data,
    fields: ['open', 'close', 'totalMatch', 'totalTradeSell', 'remainForeignRoom', 'average'],
  },
  {
    path: '/indexList',
    checks: ['index-list'],
    records: (body) => body as Row[],
    fields: ['index', 'indexName', 'board'],
  },
  {
    path: '/indexSummary',
    checks: ['index-summary'],
    records: (body) => body as Row[],
    fields: ['indexValue', 'totalAdvanceStock', 'totalPropSellValue', 'totalDeal'],
  },
  {
    path: '/masterdata',
    checks: ['masterdata'],
    records: data,
    fields: ['exchange', 'ceiling', 'floor', 'refPrice', 'tradingDate'],
  },
  {
    path: '/ohlc',
    checks: ['ohlc'],
    records: data,
    fields: ['open', 'high', 'low', 'close', 'volume', 'value'],
  },
  {
    path: '/account/info',
    checks: ['account-info'],
    records: (body) => body as Row[],
    fields: ['accountNo', 'accountType'],
  },
  {
    path: '/accountBalance',
    checks: ['accountBalance'],
    records: (body) => [(body as Row).equity as Row],
    fields: ['withdrawable', 'sellT2', 'holdSubscription'],
  },
  {
    path: '/ppmmrAccount',
    checks: ['ppmmrAccount'],
    records: (body) => [(body as Row).equity as Row],
    fields: ['ee50', 'callLMVBroker', 'doverdue_broker', 'ar'],
  },
  {
    path: '/position',
    checks: ['position'],
    records: (body) => inside(body, 'equity'),
    fields: ['quantity', 'costPrice', 't2SellQuantity'],
  },
  {
    path: '/orderBook',
    checks: ['order-book'],
    records: (body) => inside(body, 'orderList'),
    fields: ['orderStatus', 'filledQty', 'inputTime', 'clientRequestId'],
  },
  {
    path: '/fco/list',
    checks: ['fco-list'],
    records: (body) => (body as Row).fcoList as Row[],
    fields: ['status', 'detail', 'type', 'from'],
  },
  { path: '/fco/statusHistory', checks: ['fco-history'], records: data, fields: ['state', 'time', 'detail'] },
]

/** Fields that are words: a number there is never known. */
const WORDS = new Set(
  `symbol board icbCode index indexName exchange tradingDate accountNo accountType orderStatus inputTime clientRequestId status
  detail type from state time`.split(/\s+/),
)

/** Every record of every endpoint: a field dropped, one that is a number, chosen by the seed. */
function recordMutations(random: () => number): Mutation[] {
  return RESOURCES.flatMap(({ path, checks, records, fields }) => {
    const pick = (): string => fields[Math.floor(random() * fields.length)] ?? fields[0] ?? ''
    const [dropped, numbered] = [pick(), pick()]
    const change = (work: (row: Row) => void) => (body: Json, status: number) => {
      if (status === 200) for (const row of records(body)) if (row) work(row)
      return body
    }
    return [
      {
        id: `${path}: ${dropped} is dropped`,
        path,
        checks,
        answers: change((row) => {
          delete row[dropped]
        }),
      },
      {
        id: `${path}: ${numbered} is a number`,
        path,
        checks,
        isKnown: !WORDS.has(numbered),
        answers: change((row) => {
          row[numbered] = 7
        }),
      },
    ]
  })
}

/** A name of an envelope in place of another, or a value of another type. */
function envelope(
  path: string,
  checks: readonly string[],
  from: string,
  to: string | ((value: unknown) => unknown),
): Mutation {
  return {
    id: `${path}: ${from} ${typeof to === 'string' ? `is called ${to}` : 'has another value'}`,
    path,
    checks,
    answers(body, status) {
      if (status !== 200 || Array.isArray(body) || !(from in body)) return body
      const { [from]: value, ...rest } = body
      return typeof to === 'string' ? { ...rest, [to]: value } : { ...rest, [from]: to(value) }
    },
  }
}

const ignores = (path: string, name: string, checks: readonly string[]): Mutation => ({
  id: `${path}: ${name} is ignored`,
  path,
  checks,
  query: (query) => query.delete(name),
})

const defaults = (path: string, name: string, value: string, checks: readonly string[]): Mutation => ({
  id: `${path}: ${name} is ${value} by default`,
  path,
  checks,
  query: (query) => {
    if (!query.has(name)) query.set(name, value)
  },
})

const accepts = (
  path: string,
  what: string,
  checks: readonly string[],
  when: (query: URLSearchParams) => void,
): Mutation => ({
  id: `${path}: ${what}`,
  path,
  checks,
  query: when,
})

const plusOne = (value: unknown): unknown => Number(value) + 1
const asText = (value: unknown): unknown => String(value)

/** Fills in the price of an order that was seen before. */
function withPrice(): NonNullable<Mutation['sends']> {
  let seen: unknown
  return (body) => {
    seen = body.price ?? seen
    return { ...body, price: body.price ?? seen }
  }
}

/** Positions in detail unless the summary is asked for; on the sandbox's day both are the same but for this. */
function detailByDefault(): Mutation {
  let isDetail = false
  return {
    id: '/position: querySummary is false by default',
    path: '/position',
    checks: ['position'],
    query: (query) => {
      isDetail = !query.has('querySummary')
    },
    answers(body) {
      const side = ((body as Row).data as Row | undefined)?.derivative as Row | undefined
      if (isDetail && side) side.derClosePositions = side.derOpenPositions
      return body
    },
  }
}

const SPECIFIC: readonly Mutation[] = [
  {
    id: 'code of requestOtp is text',
    path: '/auth/requestOtp',
    checks: ['otp-request'],
    answers: (body, status) => (status === 400 ? { ...body, code: '400' } : body),
  },
  envelope('/securitiesSummary', ['securitiesSummary'], 'pagesCount', 'pageCount'),
  envelope('/securitiesSummary', ['securitiesSummary'], 'itemsCount', plusOne),
  envelope('/masterdata', ['masterdata'], 'pageIndex', 'pageNumber'),
  envelope('/masterdata', ['masterdata'], 'pageSize', asText),
  envelope('/ohlc', ['ohlc'], 'pageNumber', 'pageIndex'),
  envelope('/ohlc', ['ohlc'], 'pageCount', plusOne),
  envelope('/fco/list', ['fco-list'], 'itemsCount', Number),
  envelope('/auth/token', ['token'], 'expiresAt', asText),
  envelope('/auth/token', ['token'], 'tokenType', () => 'bearer'),
  envelope('/auth/token', ['token'], 'refreshToken', 'refresh_token'),
  envelope('/auth/requestOtp', ['otp-request'], 'transactionId', 'id'),
  envelope('/auth/refresh', ['refresh'], 'accessToken', 'token'),
  ignores('/securitiesByBoard', 'board', ['securities']),
  ignores('/securitiesByBoard', 'symbol', ['securities']),
  ignores('/securitiesSummary', 'symbol', ['summary']),
  ignores('/securitiesSummary', 'index', ['summary']),
  ignores('/securitiesSummary', 'pageIndex', ['securitiesSummary']),
  ignores('/indexList', 'board', ['index-list']),
  ignores('/indexSummary', 'tradingDate', ['index-summary']),
  ignores('/masterdata', 'pageSize', ['masterdata']),
  ignores('/ohlc', 'timeFrame', ['ohlc']),
  ignores('/ohlc', 'pageIndex', ['ohlc']),
  ignores('/orderBook', 'symbol', ['order-book']),
  ignores('/orderBook', 'pageIndex', ['order-book']),
  ignores('/orderBook', 'from', ['order-book']),
  ignores('/fco/list', 'processStatus', ['fco-list']),
  ignores('/fco/list', 'type', ['fco-list']),
  defaults('/securitiesSummary', 'pageSize', '20', ['securitiesSummary']),
  defaults('/masterdata', 'pageIndex', '2', ['masterdata']),
  defaults('/ohlc', 'timeFrame', '1h', ['ohlc']),
  defaults('/orderBook', 'pageSize', '10', ['order-book']),
  defaults('/fco/list', 'pageSize', '20', ['fco-list']),
  detailByDefault(),
  accepts('/securitiesByBoard', 'two filters are taken', ['securities'], (query) => {
    if (query.has('symbol')) query.delete('board')
    if (query.has('index')) query.delete('board')
  }),
  accepts('/indexSummary', 'both board and index are taken', ['index-summary'], (query) => {
    if (query.has('index')) query.delete('board')
  }),
  accepts('/ohlc', 'to before from is taken', ['ohlc'], (query) => {
    const [from, to] = [query.get('from') ?? '', query.get('to') ?? '']
    if (from > to) query.set('from', to)
  }),
  {
    id: 'refusals are HTTP 500',
    path: '/securitiesSummary',
    checks: ['summary'],
    status: (status) => (status === 400 ? 500 : status),
  },
  {
    id: 'code is a number',
    path: '/securitiesSummary',
    checks: ['summary'],
    answers: (body, status) => (status === 400 ? { ...body, code: 400 } : body),
  },
  {
    id: 'msg says something else',
    path: '/indexSummary',
    checks: ['index-summary'],
    answers: (body, status) => (status === 400 ? { ...body, msg: 'bad' } : body),
  },
  {
    id: 'the error has a message, no msg',
    path: '/nothing',
    checks: ['unknown-path'],
    answers: ({ ...body }) => ({ code: (body as Row).code, message: 'x' }),
  },
  {
    id: 'any content type is taken',
    path: '/indexList',
    checks: ['content-type'],
    headers: (headers) => ({ ...headers, 'content-type': 'application/json' }),
  },
  {
    id: 'an empty order is cancelled',
    path: '/trading/order',
    method: 'DELETE',
    checks: ['order-cancel-rule'],
    status: () => 200,
  },
  {
    id: 'orderId goes before clientRequestId',
    path: '/trading/order',
    method: 'DELETE',
    checks: ['order-cancel-rule'],
    sends: (body) => (body.orderId === undefined ? body : { ...body, clientRequestId: undefined }),
  },
  {
    id: 'clientRequestId is not kept',
    path: '/trading/order',
    method: 'POST',
    checks: ['order-client-id'],
    sends: (body) => ({ ...body, clientRequestId: undefined }),
  },
  {
    id: 'orderStatus is a number',
    path: '/trading/order',
    method: 'POST',
    checks: ['order-place'],
    answers: (body, status) => (status === 200 ? { ...body, orderStatus: 1 } : body),
  },
  {
    id: 'orders need no signature',
    path: '/trading/order',
    checks: ['order-signature'],
    headers: (headers) => ({ ...headers, 'x-signature': '00ff' }),
  },
  {
    id: 'a limit needs no price',
    path: '/trading/order',
    method: 'POST',
    checks: ['order-required'],
    sends: withPrice(),
  },
  {
    id: 'placing a conditional order answers more',
    path: '/fco/order',
    method: 'POST',
    checks: ['fco-place'],
    answers: (body, status) => (status === 200 ? { ...body, status: 'INIT' } : body),
  },
  {
    id: 'conditional orders need no signature',
    path: '/fco/order',
    checks: ['fco-signature'],
    headers: (headers) => ({ ...headers, 'x-signature': '00ff' }),
  },
  {
    id: 'conditional orders live 48 hours',
    path: '/fco/list',
    checks: ['fco-validity'],
    answers: (body) => lengthened(body),
  },
  {
    id: 'operator is a number',
    isKnown: true,
    path: '/fco/list',
    checks: ['fco-place'],
    answers: (body) => numberedOperator(body),
  },
]

function lengthened(body: Json): Json {
  for (const row of ((body as Row).fcoList as Row[] | undefined) ?? []) {
    const at = Date.parse(`${String(row.to).replaceAll('/', '-').replace(' ', 'T')}Z`) + 86_400_000
    row.to = new Date(at).toISOString().slice(0, 19).replace('T', ' ').replaceAll('-', '/')
  }
  return body
}

function numberedOperator(body: Json): Json {
  for (const row of ((body as Row).fcoList as Row[] | undefined) ?? []) {
    const params = row.params as Row | undefined
    if (params && 'operator' in params) params.operator = 0
  }
  return body
}

/** All mutations; which fields of records they hit follows from the seed. */
export function mutations(random: () => number): Mutation[] {
  return [...recordMutations(random), ...SPECIFIC]
}

/** A way to the service with a mutation on it. */
export function mutated(mutation: Mutation, through: typeof fetch = fetch): typeof fetch {
  return async (input, init = {}) => {
    const url = new URL(String(input))
    const method = init.method ?? 'GET'
    if (!url.pathname.endsWith(mutation.path) || (mutation.method ?? method) !== method)
      return await through(input, init)
    mutation.query?.(url.searchParams)
    const headers = { ...(init.headers as Record<string, string>) }
    const body =
      mutation.sends && typeof init.body === 'string'
        ? JSON.stringify(mutation.sends(JSON.parse(init.body) as Record<string, unknown>))
        : init.body
    const response = await through(url, {
      ...init,
      headers: mutation.headers?.(headers) ?? headers,
      body: body ?? null,
    })
    const text = await response.text()
    const changed =
      mutation.answers && text
        ? JSON.stringify(mutation.answers(JSON.parse(text) as Json, response.status))
        : text
    return new Response(changed, {
      status: mutation.status?.(response.status) ?? response.status,
      headers: response.headers,
    })
  }
}
