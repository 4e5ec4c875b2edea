import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { packageRoot } from '../../../src/package.js'
import type { Endpoint } from '../src/contract.js'
import { ACCOUNT_ENDPOINTS, factsOf, isPaged, MARKET_ENDPOINTS } from '../src/endpoints.js'

test.each<[Endpoint, string, string, boolean]>([
  ['securitiesByBoard', 'array', '', false],
  ['securitiesSummary', 'data', 'slash', true],
  ['indexSummary', 'array', '', false],
  ['indexList', 'array', '', false],
  ['masterdata', 'data', 'slash', true],
  ['ohlc', 'data', 'slash-time dash', true],
  ['accountInfo', 'array', '', false],
  ['accountBalance', 'object', '', false],
  ['ppmmrAccount', 'object', '', false],
  ['position', 'object', '', false],
  ['maxBuySell', 'object', '', false],
  ['orderBook', 'orderList', 'iso slash slash-time', true],
  ['fcoList', 'fcoList', 'slash', true],
  ['fcoStatusHistory', 'data', '', false],
])('%s answers with its %s', (endpoint, answer, forms, paged) => {
  const facet = endpoint in MARKET_ENDPOINTS ? 'market' : 'account'
  expect(factsOf(endpoint)).toMatchObject({ facet, answer, dateForms: forms.split(' ').filter(Boolean) })
  expect(isPaged(endpoint)).toBe(paged)
})

test('every path is the one in the section of its endpoint', () => {
  const specification = readFileSync(join(packageRoot, 'docs/brokerage-api.md'), 'utf8')
  for (const [endpoint, { path }] of Object.entries({ ...MARKET_ENDPOINTS, ...ACCOUNT_ENDPOINTS })) {
    const [, behind = ''] = specification.split(`\n### ${endpoint}\n`)
    const [, written] = /`(?:GET )?(\/api\/v3\/[\w/]+)`/.exec(behind.split('\n### ')[0] ?? '') ?? []
    expect([endpoint, path]).toEqual([endpoint, written])
  }
})
