import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ACCOUNT_ENDPOINTS, MARKET_ENDPOINTS } from '../../packages/client/src/endpoints.js'
import type { RunningSandbox } from '../../packages/sandbox/src/options.js'
import { startWithEffects } from '../../packages/sandbox/src/start.js'
import { systemEffects } from '../../src/effects.js'
import { ACCOUNT_LIST, ACCOUNT_TABLES } from '../../src/load/account/account-tables.js'
import { packageRoot } from '../../src/package.js'
import { datasets } from '../../src/plan/datasets.js'
import { filesIn } from '../support/sources.js'

/** A row of the table, as docs/brokerage-api.md has it. */
interface Row {
  readonly endpoint: string
  readonly served: string
  readonly spoken: string
  readonly landed: readonly string[]
  readonly view: readonly string[]
  readonly shown: readonly string[]
}

const read = (path: string): string => readFileSync(join(packageRoot, path), 'utf8')
const namesIn = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)

function tableRows(): Row[] {
  const [, section = ''] = read('docs/brokerage-api.md').split('## Every endpoint\n')
  return (section.split('\n## ')[0] ?? '')
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => {
      const [, endpoint, served, spoken, landed, view, shown] = line.split('|').map(namesIn)
      return {
        endpoint: endpoint?.[0] ?? '',
        served: served?.[0] ?? '',
        spoken: spoken?.[0] ?? '',
        landed: landed ?? [],
        view: view ?? [],
        shown: shown ?? [],
      }
    })
}

const rows = tableRows()
const sqlFiles = ['mart', 'console', 'report'].flatMap((folder) => filesIn([`sql/${folder}`], '.sql'))
const sqlOf = new Map(
  sqlFiles.map((path) => {
    const [, folder = ''] = path.split('/')
    return [`${folder === 'mart' ? 'mart.' : `${folder}/`}${basename(path, '.sql')}`, read(path)]
  }),
)

/** Relations that a statement reads, directly and through views. */
function relationsOf(name: string, seen = new Set<string>()): Set<string> {
  if (seen.has(name)) return seen
  seen.add(name)
  const names = (sqlOf.get(name) ?? '').match(/\b(market|account|mart)\.\w+/g) ?? []
  for (const relation of names) relationsOf(relation, seen)
  return seen
}

describe('the table of endpoints', () => {
  let sandbox: RunningSandbox
  let operations: Map<string, string>
  beforeAll(async () => {
    sandbox = await startWithEffects({ date: '2025-11-20' }, systemEffects)
    const { paths } = (await (await fetch(`${sandbox.url}/openapi.json`)).json()) as {
      paths: Record<string, Record<string, { operationId: string }>>
    }
    const isOfService = ([path]: [string, unknown]): boolean => path.startsWith('/api/')
    operations = new Map(
      Object.entries(paths)
        .filter(isOfService)
        .flatMap(([path, item]) =>
          Object.entries(item).map(([method, { operationId }]) => [
            `${method.toUpperCase()} ${path.replace('/api/v3', '')}`,
            operationId,
          ]),
        ),
    )
  })
  afterAll(() => sandbox.close())

  it('has a row for each operation that the sandbox serves, and no other', () => {
    expect(new Map(rows.map(({ endpoint, served }) => [endpoint, served]))).toEqual(operations)
    expect(rows).toHaveLength(operations.size)
  })

  it('names the methods that the client has', () => {
    const reads = new Map(
      [
        ...Object.entries(MARKET_ENDPOINTS).map(([name, facts]) => [`client.market.${name}`, facts] as const),
        ...Object.entries(ACCOUNT_ENDPOINTS).map(
          ([name, facts]) => [`client.accounts.${name}`, facts] as const,
        ),
      ].map(([name, { path }]) => [`GET ${path.replace('/api/v3', '')}`, name]),
    )
    const gets = rows.filter(({ endpoint }) => endpoint.startsWith('GET '))
    expect(new Map(gets.map(({ endpoint, spoken }) => [endpoint, spoken]))).toEqual(reads)
    const methods = {
      trading: read('packages/client/src/trading/trading.ts'),
      session: read('packages/client/src/session/session-view.ts'),
    }
    for (const { endpoint, spoken } of rows.filter((row) => !gets.includes(row))) {
      const [, facet = '', method = ''] = spoken.split('.')
      expect(methods[facet as keyof typeof methods], endpoint).toContain(`  ${method}(`)
    }
  })

  it('names the relations that each read is landed in', () => {
    const landed = new Map<string, string[]>()
    const add = (endpoint: string, relation: string) =>
      landed.set(endpoint, [...(landed.get(endpoint) ?? []), relation])
    for (const { name, part } of [...ACCOUNT_TABLES, ACCOUNT_LIST])
      add(part === 'positionDetail' ? 'position' : part, `account.${name}`)
    add('securitiesByBoard', datasets.securities.relation)
    add('securitiesByBoard', datasets.indexMembers.relation)
    add('indexList', datasets.indexes.relation)
    for (const name of ['securitiesSummary', 'indexSummary', 'masterdata', 'ohlc'] as const)
      add(name, datasets[name].relation)
    const sorted = (names: readonly string[] = []) => [...names].sort()
    for (const { endpoint, spoken, landed: named } of rows) {
      const expected = endpoint.startsWith('GET ') ? landed.get(spoken.split('.')[2] ?? '') : []
      expect(sorted(named), endpoint).toEqual(sorted(expected))
    }
  })

  it('names views and statements of pages that read what was landed, each of it', () => {
    for (const { endpoint, landed, view, shown } of rows) {
      for (const name of [...view, ...shown]) expect(sqlOf.has(name), `${endpoint}: ${name}`).toBe(true)
      // Conditional orders need no view: pages show them as they are landed.
      for (const relation of landed)
        for (const names of view.length > 0 ? [view, shown] : [shown])
          expect(
            names.some((name) => relationsOf(name).has(relation)),
            `${endpoint}: ${relation} is in none of ${names.join(', ')}`,
          ).toBe(true)
    }
  })
})
