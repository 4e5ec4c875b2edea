import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { querySql } from '../../src/read/index.js'
import { LAST } from '../e2e/support/nights.js'
import { filesBelow } from '../support/published.js'
import { type Connected, connected, homeWithAccounts } from './support/served.js'

let home: string
/** Numbers and names that only accounts have. */
let facts: string[]
let off: Connected
let on: Connected
beforeAll(async () => {
  home = await homeWithAccounts()
  const { rows } = await querySql(
    home,
    `SELECT account_no FROM account.account UNION SELECT order_id FROM account.order_book
     UNION SELECT fco_id FROM account.conditional_order`,
  )
  facts = rows.map(([fact]) => String(fact)).filter((fact) => fact.length >= 6)
  off = await connected(home)
  on = await connected(home, { hasAccounts: true })
})

function leaked(text: string): string[] {
  return facts.filter((fact) => text.includes(fact))
}

test('there are facts to look for, and with --accounts they are shown', async () => {
  expect(facts.length).toBeGreaterThan(4)
  const { text } = await on.call('query', { sql: 'select * from account.account' })
  expect(leaked(text).length).toBeGreaterThan(0)
  expect((await on.client.listPrompts()).prompts.map(({ name }) => name)).toContain('check_portfolio')
})

test('no relation that is listed has one, and every one of them can be read', async () => {
  const { answer } = await off.call('query', { sql: 'show tables', limit: 500 })
  const names = answer.rows.map(([name]) => String(name))
  expect(names.filter((name) => /account/.test(name))).toEqual([])
  expect(names.length).toBeGreaterThan(60)
  for (const name of names) {
    const { text, isError } = await off.call('query', { sql: `select * from ${name}`, limit: 500 })
    expect([name, isError && !/the first row/.test(text), leaked(text)]).toEqual([name, false, []])
  }
})

test('the ledger and the findings have the rows about the market alone', async () => {
  const count = async (served: Connected, relation: string): Promise<number> =>
    Number((await served.call('query', { sql: `select count(*) from ${relation}` })).answer.rows[0]?.[0])
  for (const relation of ['ops.request', 'ops.coverage', 'recon.finding']) {
    expect(await count(off, relation)).toBeGreaterThan(0)
    expect(await count(off, relation)).toBeLessThan(await count(on, relation))
  }
})

describe('what reaches for accounts is refused, and shows none', () => {
  const reaching = (lake: string): string[] => [
    'select * from account.account',
    'select * from ACCOUNT."Account"',
    'from equity_balance',
    'select * from mart.account_day',
    'from account_return',
    "from mart.account_return_between(DATE '2025-03-13', DATE '2025-03-14')",
    'describe account.account',
    'summarize account.order_book',
    'with a as (from account.order_book) from a',
    'select (select max(account_no) from account.account)',
    "select * from duckdb_columns() where schema_name = 'account'",
    "select * from information_schema.tables where table_schema = 'account'",
    `select * from '${lake}/account/account/part.parquet'`,
    `select * from read_parquet('${lake}/account/**/*.parquet')`,
    `select * from parquet_scan('${lake}/ops/request/**/*.parquet')`,
    `from "${lake}/ops/request/2025-03"."parquet"`,
    'select * from read_parquet(ops.request_files())',
    'select ops.account_account_files()',
    "select * from query_table('account.account')",
    "select * from query('from account.account')",
    'select * from catalog.account.account',
    'select * from mine.anything',
    "select * from ops.request where endpoint = 'accountInfo'",
    "select * from ops.coverage where dataset = 'snapshot'",
    "select * from recon.finding where subject <> 'market'",
    "select * from recon.offender where relation like 'account.%'",
    'select * from ops.quarantine',
    'select cast((select string_agg(account_no) from account.account) as int)',
  ]

  test('statements', async () => {
    for (const sql of reaching(join(home, 'lake'))) {
      const { isError, text, answer } = await off.call('query', { sql })
      expect([sql, leaked(text)]).toEqual([sql, []])
      expect([sql, isError || answer.rows.length === 0]).toEqual([sql, true])
    }
  })

  test('files of the lake by their own names', async () => {
    const files = filesBelow(join(home, 'lake')).filter((file) => file.endsWith('.parquet'))
    for (const file of files.filter((name) => /^(account|ops|recon)/.test(name))) {
      const { isError, text } = await off.call('query', {
        sql: `select * from '${join(home, 'lake', file)}'`,
      })
      expect([file, isError, leaked(text)]).toEqual([file, true, []])
    }
    expect(files.filter((name) => name.startsWith('account')).length).toBeGreaterThan(3)
  })

  test('traces of rows about accounts, and of pages that brought them', async () => {
    const { rows: accounts } = await querySql(home, 'select account_no from account.account')
    const { rows: pages } = await querySql(
      home,
      "select request_id from ops.request where endpoint in ('accountInfo', 'orderBook', 'position')",
    )
    expect(pages.length).toBeGreaterThan(2)
    const keys = [
      ...accounts.map(([account_no]) => ['account.account', { account_no }] as const),
      ...accounts.map(([account_no]) => ['mart.account_day', { account_no, trading_date: LAST }] as const),
      ...pages.map(([request_id]) => ['ops.request', { request_id }] as const),
    ]
    for (const [relation, key] of keys) {
      const { isError, text } = await off.call('trace', { relation, key })
      const asked = Object.values(key).map(String)
      expect([relation, isError, leaked(text).filter((fact) => !asked.includes(fact))]).toEqual([
        relation,
        true,
        [],
      ])
    }
  })

  test('status, find, describe, resources and prompts', async () => {
    const texts = [
      (await off.call('status')).text,
      (await off.call('find', { text: 'account positions cash margin orders' })).text,
      (await off.call('describe', { relation: 'account.account' })).text,
      (await off.call('describe', { relation: 'account_return' })).text,
    ]
    for (const { uri } of (await off.client.listResources()).resources)
      texts.push(JSON.stringify(await off.client.readResource({ uri })))
    for (const { name } of (await off.client.listPrompts()).prompts)
      texts.push(JSON.stringify(await off.client.getPrompt({ name, arguments: { rule: '1' } })))
    expect(texts.flatMap(leaked)).toEqual([])
    expect(texts[1]).not.toMatch(/"mart\.account_|"account\./)
  })
})

test('the copy of the catalog is gone while the server runs', async () => {
  await off.call('query', { sql: 'select 1' })
  expect(filesBelow(join(home, 'tmp'))).toEqual([])
  expect(readFileSync(join(home, 'catalog.duckdb')).length).toBeGreaterThan(0)
})
