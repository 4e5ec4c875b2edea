import { cpSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../support/folder.js'
import { cli } from '../support/program.js'
import { connected, homeWithAccounts } from './support/served.js'

test.each([false, true])(
  'an open server follows the catalog, and forgets no hash; accounts: %s',
  async (hasAccounts) => {
    const cwd = temporaryFolder()
    cpSync(dirname(await homeWithAccounts()), cwd, { recursive: true })
    // A catalog names its files by absolute path.
    expect((await cli(['publish'], { cwd })).code).toBe(0)
    const served = await connected(join(cwd, 'data'), { hasAccounts })
    const { answer: before } = await served.call('query', {
      sql: 'select symbol from market.corporate_action',
    })
    expect(before.rows).toEqual([])
    writeFileSync(join(cwd, 'actions.csv'), 'symbol,ex_date,kind,ratio\nFPT,2025-03-14,bonus,0.1\n')
    const { code, stderr } = await cli(['import', 'corporate_actions', 'actions.csv'], { cwd })
    expect([code, stderr]).toEqual([0, expect.any(String)])
    const { answer: after } = await served.call('query', { statement_hash: before.statement_hash })
    expect(after.rows).toEqual([['FPT']])
    expect(after.publication.id).toBeGreaterThan(before.publication.id)
    expect(after.statement_hash).toBe(before.statement_hash)
  },
)
