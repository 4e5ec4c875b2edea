import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { afterEach, describe, expect, it } from 'vitest'
import type { SandboxOptions } from '../src/index.js'
import { type Caller, caller } from './caller.js'

const DATA = '/api/v3/data'
const TRADING = '/api/v3/trading'
const accountNo = '0881234566'
const days = { from: '2025/11/18', to: '2025/11/19' }
const weekend = { from: '2025/11/22', to: '2025/11/23' }
const moments = (from: string, to: string) => ({ from: `${from} 00:00:00`, to: `${to} 23:59:59` })

/** Reads of every endpoint, of shares, warrants and contracts, with records and without. */
const READS: readonly [string, Record<string, string>][] = [
  [`${DATA}/securitiesByBoard`, {}],
  [`${DATA}/securitiesByBoard`, { symbol: 'NONE' }],
  [`${DATA}/securitiesSummary`, { ...days, pageSize: '200' }],
  [`${DATA}/securitiesSummary`, { ...weekend, pageSize: '200' }],
  [`${DATA}/indexSummary`, { board: 'HOSE' }],
  [`${DATA}/indexSummary`, { board: 'HOSE', tradingDate: '2025/11/22' }],
  [`${DATA}/indexList`, {}],
  [`${DATA}/masterdata`, { ...days, pageSize: '200' }],
  [`${DATA}/masterdata`, weekend],
  [`${DATA}/ohlc`, { symbol: 'FPT', ...moments('2025/11/18', '2025/11/19') }],
  [`${DATA}/ohlc`, { symbol: 'FPT', timeFrame: '1m', ...moments('2025/11/19', '2025/11/19') }],
  [`${DATA}/ohlc`, { symbol: '41I1FC000', ...moments('2025/11/18', '2025/11/19') }],
  [`${DATA}/ohlc`, { symbol: 'NONE', ...moments('2025/11/18', '2025/11/19') }],
  ['/api/v3/account/info', {}],
  [`${TRADING}/accountBalance`, { accountNo }],
  [`${TRADING}/accountBalance`, { accountNo: '0881234568' }],
  [`${TRADING}/ppmmrAccount`, { accountNo }],
  [`${TRADING}/ppmmrAccount`, { accountNo: '0881234568' }],
  [`${TRADING}/position`, { accountNo }],
  [`${TRADING}/position`, { accountNo: '0881234568', querySummary: 'false' }],
  [`${TRADING}/maxBuySell`, { accountNo, symbol: 'HPG', price: '20000' }],
  [`${TRADING}/orderBook`, { accountNo, from: '2025-11-20' }],
  [`${TRADING}/orderBook`, { accountNo, symbol: 'NONE' }],
  [`${TRADING}/fco/list`, { accountNo, pageSize: '50' }],
  [`${TRADING}/fco/list`, { accountNo, symbol: 'NONE' }],
]

interface Schema {
  anyOf?: { $ref?: string }[]
  type?: string
  $ref?: string
}
interface Document {
  paths: Record<
    string,
    { get?: { responses: Record<string, { content: Record<string, { schema: Schema }> }> } }
  >
}

let api: Caller | undefined
afterEach(() => api?.close())

describe.each<[string, SandboxOptions]>([
  ['as the specification', {}],
  ['live', { dialect: 'live' }],
  ['with other suffixes', { dialect: 'live', fieldSuffixes: { broker: 'ABC', depository: 'XYZ' } }],
])('the document %s', (_, options) => {
  it('has a schema for the 200 of every read, and its answers fit it', async () => {
    api = await caller({ trade: '14:20', ...options }, { otp: true })
    const document = (await api.get('/openapi.json')).body as unknown as Document
    const ajv = new Ajv2020({ strict: false })
    ajv.addSchema(document, 'document')
    const schemaOf = (path: string) => document.paths[path]?.get?.responses[200]?.content['application/json']
    const validators = new Map<string, ValidateFunction>()
    const problems: unknown[] = []
    const history = await api.get(`${TRADING}/fco/list`, { accountNo })
    const { fcoId = '' } = (history.body.fcoList as { fcoId: string }[])[0] ?? {}
    for (const [path, query] of [...READS, [`${TRADING}/fco/statusHistory`, { fcoId }] as const]) {
      const { schema } = schemaOf(path) ?? {}
      expect([path, typeof (schema?.$ref ?? schema?.anyOf ?? schema?.type)]).not.toEqual([path, 'undefined'])
      const pointer = `document#/paths/${path.replaceAll('/', '~1')}/get/responses/200/content/application~1json/schema`
      const validate = validators.get(path) ?? ajv.compile({ $ref: pointer })
      validators.set(path, validate)
      const { status, text } = await api.get(path, query)
      if (status !== 200 || !validate(JSON.parse(text)))
        problems.push([path, query, status, text.slice(0, 200), validate.errors])
    }
    expect(problems).toEqual([])
    const reads = Object.keys(document.paths).filter(
      (path) => path.startsWith('/api/') && document.paths[path]?.get,
    )
    expect([...validators.keys()].sort()).toEqual(reads.sort())
  })
})
