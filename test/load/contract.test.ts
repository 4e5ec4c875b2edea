import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { BATCH_STEPS, followSteps, SNAPSHOT_STEPS } from '../../src/load/steps.js'
import { packageRoot } from '../../src/package.js'
import { monthOf, relationOf } from '../../src/relations.js'
import { openMacros } from '../support/landed.js'
import { filesIn } from '../support/sources.js'
import { contractOf, contractTables, matches } from './contract.js'

const orders = { BATCH_STEPS, SNAPSHOT_STEPS }
const steps = [...new Set(Object.values(orders).flat(2))]

/** Files below a folder, relative to the package. */
describe('loading', () => {
  test('every file of sql/load and sql/apply is a step, and every step a file', () => {
    const files = filesIn(['sql/load', 'sql/apply'], '.sql')
    expect(files.map((path) => path.slice('sql/'.length, -'.sql'.length)).sort()).toEqual([...steps].sort())
  })

  test.each(steps)('%s states what it reads and writes', (step) => {
    const { reads, writes, stated } = contractOf(step)
    expect(stated).toEqual({ reads, writes })
  })

  test.each(steps)('%s states the grain of what it makes', (step) => {
    const without = [...contractOf(step).grains].filter(([, grain]) => !grain).map(([name]) => name)
    expect(without.map((name) => `${name}: say its grain before CREATE in sql/${step}.sql`)).toEqual([])
  })

  test.each(Object.keys(orders) as (keyof typeof orders)[])(
    '%s: nothing is read before it is written',
    (name) => {
      const written: string[] = []
      const early: string[] = []
      for (const line of orders[name]) {
        const contracts = line.map(contractOf)
        written.push(...contracts.flatMap(({ writes }) => writes))
        for (const { step, reads } of contracts) {
          const temporary = reads.filter((read) => !read.includes('.') && read !== '$relation')
          early.push(
            ...temporary
              .filter((read) => !written.some((other) => matches(other, read)))
              .map((read) => `${step} reads ${read} too early: move it back in src/load/steps.ts`),
          )
        }
      }
      expect(early).toEqual([])
    },
  )

  test('everything temporary that is written is read', () => {
    const contracts = steps.map(contractOf)
    const reads = contracts.flatMap((contract) => contract.reads)
    const inFile = (step: string, name: string): boolean => contractOf(step).readsOwn.includes(name)
    const unread = contracts.flatMap(({ step, writes }) =>
      writes
        .filter((name) => !name.includes('.') && name !== '$relation')
        .filter((name) => !reads.some((read) => matches(read, name)) && !inFile(step, name))
        .map((name) => `nothing reads ${name}: take it from sql/${step}.sql`),
    )
    expect(unread).toEqual([])
  })

  test('a name is always a table or always a view: DuckDB does not replace one with the other', () => {
    const kinds = new Map<string, Set<string>>()
    for (const [name, kind] of steps.flatMap((step) => [...contractOf(step).kinds])) {
      kinds.set(name, (kinds.get(name) ?? new Set()).add(kind))
    }
    const mixed = [...kinds].filter(([, of]) => of.size > 1)
    expect(mixed.map(([name]) => `${name} is a table and a view: give each a name`)).toEqual([])
  })

  test('SQL is in sql/: the code of loading names steps, and no tables', () => {
    const statement =
      /\b(SELECT|INSERT INTO|DELETE FROM|CREATE|UPDATE \w+ SET|(?<!DISTINCT )FROM \w+|JOIN \w+|SET VARIABLE)\b/
    const withSql = filesIn(['src/load'], '.ts').filter((path) => {
      const code = readFileSync(join(packageRoot, path), 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
      return [...code.matchAll(/`[^`]*`|'[^'\n]*'/g)].some(([text]) => statement.test(text))
    })
    expect(withSql.map((path) => `${path} has SQL: make it a step in sql/load`)).toEqual([])
  })

  test('sql/load/README.md shows the contract; vitest -u writes it anew', async () => {
    const text = [
      '# The contract of loading',
      '',
      'Pages become rows step by step. Each step is one SQL file; `src/load/steps.ts` holds their order, and a step that',
      'comes too late is refused while the program runs. This page is written from the files: a test fails where it is not',
      'what they do. Steps with one number alternate. `$relation` and `$table` are the relation or account table that is',
      'being loaded; `$name`s are put in by `sqlTemplate`. Names with a dot are stored, all others are temporary.',
      '',
      contractTables('A batch of market data', BATCH_STEPS),
      contractTables('An account snapshot', SNAPSHOT_STEPS),
    ].join('\n')
    await expect(text).toMatchFileSnapshot(join(packageRoot, 'sql/load/README.md'))
  })

  test('months that loading marks are the months that relations are partitioned by', async () => {
    const macros = await openMacros()
    const kindOf = { month_of_instant: 'instant', month_of_day: 'date', month_of_id: 'id' } as const
    const marked = steps.flatMap((step) => [
      ...readFileSync(join(packageRoot, 'sql', `${step}.sql`), 'utf8').matchAll(
        /'([\w.]+)', (month_of_\w+)\(/g,
      ),
    ])
    expect(marked.length).toBeGreaterThan(8)
    for (const [, relation = '', macro = ''] of marked) {
      const { dated } = relationOf(relation)
      expect([relation, macro in kindOf && kindOf[macro as keyof typeof kindOf]]).toEqual([
        relation,
        dated?.kind,
      ])
    }
    const values = {
      instant: `TIMESTAMPTZ '2025-05-31T17:30:00Z'`,
      date: `DATE '2025-05-31'`,
      id: `'20250531T173000'`,
    }
    for (const [macro, kind] of Object.entries(kindOf)) {
      const [row] = await macros.rows<{ by_macro: string; by_relation: string }>(
        `SELECT ${macro}(x) AS by_macro, ${monthOf({ column: 'x', kind })} AS by_relation FROM (SELECT ${values[kind]} AS x)`,
      )
      expect(row?.by_macro).toBe(row?.by_relation)
    }
  })
})

describe('steps', () => {
  test('one that comes after a later one is refused, as is one that is not known', async () => {
    const database = await openMacros()
    const order = followSteps(database, BATCH_STEPS)
    await order.run('load/batch/variables', { dataset: `'ohlc'`, as_of: `'2025-06-02'` })
    await order.run('load/batch/pages', {}, ['[]'])
    await expect(order.run('load/batch/variables')).rejects.toThrow('comes too late')
    await expect(order.run('load/batch/nothing')).rejects.toThrow('not one of these')
  })

  test('one whose parts are not what its text names is refused', async () => {
    const database = await openMacros()
    const order = followSteps(database, BATCH_STEPS)
    await expect(order.run('load/batch/variables', { dataset: `'ohlc'` })).rejects.toThrow('$as_of')
    const parts = { dataset: `'ohlc'`, as_of: `'2025-06-02'`, key: 'symbol' }
    await expect(order.run('load/batch/variables', parts)).rejects.toThrow('has no $key')
  })
})
