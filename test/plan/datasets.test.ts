import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { packageRoot } from '../../src/package.js'
import { DATASETS, type DatasetName, datasets, isList } from '../../src/plan/datasets.js'
import { isPart, PARTS, type PartName, parts } from '../../src/plan/parts.js'
import { ACCOUNT, MARKET } from '../../src/source/brokerage/queries.js'

const specification = readFileSync(join(packageRoot, 'docs/brokerage-api.md'), 'utf8')

/** The text between the heading of an endpoint and the next heading. */
function sectionOf(endpoint: string): string {
  const behind = specification.split(`\n### ${endpoint}\n`)[1]
  if (behind === undefined) throw new Error(`no section ${endpoint}`)
  return behind.split(/\n##/)[0] as string
}

/** Fields of a record: those of the section's table, or those that its text names as the response's. */
function fieldsOf(endpoint: string): string[] {
  const section = sectionOf(endpoint)
  const rows = section.split('\n').filter((line) => /^\| [a-zE]/.test(line) && line.includes('`'))
  const text = rows.length > 0 ? rows.join(' ') : (section.split('Response:')[1] ?? '').split(/\. | Live/)[0]
  return [...(text ?? '').matchAll(/`(\w+)`/g)].map(([, name = '']) => name).sort()
}

describe('a dataset', () => {
  test.each<[DatasetName, string | null, string | null, string, string, string]>([
    ['securities', 'securitiesByBoard', 'lists', 'market.security', 'symbol', 'list'],
    ['indexes', 'indexList', 'lists', 'market.market_index', 'index_code', 'list'],
    ['indexMembers', 'securitiesByBoard', 'daily', 'market.index_member', 'index_code symbol', 'list'],
    [
      'securitiesSummary',
      'securitiesSummary',
      'daily',
      'market.daily_summary',
      'symbol trading_date',
      'session',
    ],
    ['indexSummary', 'indexSummary', 'daily', 'market.index_summary', 'index_code trading_date', 'session'],
    ['masterdata', 'masterdata', 'daily', 'market.price_limit', 'symbol trading_date', 'session'],
    ['ohlc', 'ohlc', 'candles', 'market.candle', 'symbol timeframe opened_at', 'session'],
    ['corporateActions', null, null, 'market.corporate_action', 'symbol ex_date kind', 'declaration'],
  ])('%s has its endpoint, stage, relation, key and shape', (name, endpoint, stage, relation, key, shape) => {
    const { fields, table: _, ...facts } = datasets[name]
    expect(facts).toEqual({ name, stage, relation, key: key.split(' '), shape })
    expect(name === 'corporateActions' ? null : MARKET[name]).toBe(endpoint)
    expect(isList(name)).toBe(shape === 'list')
    expect(fields).not.toContain('')
  })

  test('is one of these eight, in the order in which they are loaded', () => {
    expect(DATASETS).toEqual(Object.keys(datasets))
    expect(DATASETS).toHaveLength(8)
  })

  test.each(
    DATASETS.flatMap((name) =>
      name === 'corporateActions' ? [] : [[name, MARKET[name], datasets[name].fields] as const],
    ),
  )('%s has the fields of the specification', (name, endpoint, fields) => {
    // Live models write `board` where the specification says `exchange` (docs/market-facts.md#board-or-exchange).
    const live = name === 'masterdata' ? ['board'] : []
    expect([...fields].sort()).toEqual([...fieldsOf(endpoint), ...live].sort())
  })

  test("that a user's file declares has the columns of that file", () => {
    expect(datasets.corporateActions.fields).toEqual([
      'line',
      'symbol',
      'exDate',
      'kind',
      'ratio',
      'amount',
      'price',
      'isWithdrawn',
    ])
  })
})

describe('a part of a snapshot', () => {
  test.each<[PartName, string, string, string]>([
    ['accountInfo', 'accountInfo', 'all', 'accounts'],
    ['position', 'position', 'account', 'positions'],
    ['positionDetail', 'position', 'account', 'derivative positions in detail'],
    ['fcoList', 'fcoList', 'account', 'conditional orders'],
    ['accountBalance', 'accountBalance', 'account', 'balance'],
    ['ppmmrAccount', 'ppmmrAccount', 'account', 'PP/MMR'],
    ['orderBook', 'orderBook', 'account', 'orders'],
    ['fcoStatusHistory', 'fcoStatusHistory', 'order', 'status history'],
    ['maxBuySell', 'maxBuySell', 'symbol', 'maximum quantity'],
  ])('%s is a request to %s by %s', (part, endpoint, key, about) => {
    expect(parts[part]).toEqual({ key, about })
    expect(ACCOUNT[part]).toBe(endpoint)
    expect(isPart(part)).toBe(true)
  })

  test('is one of these nine, in the order of their requests', () => {
    expect(PARTS).toEqual(Object.keys(parts))
    expect(PARTS).toHaveLength(9)
    expect(isPart('ohlc')).toBe(false)
  })
})
