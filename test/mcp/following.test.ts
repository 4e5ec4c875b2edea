import { cpSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../support/folder.js'
import { cli } from '../support/program.js'
import { connected, homeWithAccounts } from './support/served.js'

test('open servers, with accounts and without, follow the catalog, and forget no hash', async () => {
  const cwd = temporaryFolder()
  cpSync(dirname(await homeWithAccounts()), cwd, { recursive: true })
  // A catalog names its files by absolute path.
  expect((await cli(['publish'], { cwd })).code).toBe(0)
  const open = await Promise.all(
    [false, true].map(async (hasAccounts) => {
      const served = await connected(join(cwd, 'data'), { hasAccounts })
      const { answer } = await served.call('query', { sql: 'select symbol from market.corporate_action' })
      expect([hasAccounts, answer.rows]).toEqual([hasAccounts, []])
      return { served, before: answer, hasAccounts }
    }),
  )
  writeFileSync(join(cwd, 'actions.csv'), 'symbol,ex_date,kind,ratio\nFPT,2025-03-14,bonus,0.1\n')
  const { code, stderr } = await cli(['import', 'corporate_actions', 'actions.csv'], { cwd })
  expect([code, stderr]).toEqual([0, expect.any(String)])
  for (const { served, before, hasAccounts } of open) {
    const { answer: after } = await served.call('query', { statement_hash: before.statement_hash })
    expect([hasAccounts, after.rows]).toEqual([hasAccounts, [['FPT']]])
    expect(after.publication.id).toBeGreaterThan(before.publication.id)
    expect(after.statement_hash).toBe(before.statement_hash)
  }
})
