import { expect, test } from 'vitest'
import { accountReader } from '../../src/load/account/page-records.js'
import { temporaryFolder } from '../support/folder.js'
import { landParts } from '../support/landed.js'

const suffixes = { broker: 'Broker', depository: 'Depository' }

test('what the service refuses has no records, and its code and message are no new fields', async () => {
  const home = temporaryFolder()
  const refusal = { code: '400', msg: 'symbol is invalid' }
  const [walk] = await landParts(
    home,
    [{ part: 'maxBuySell', account: '0691234561', key: 'FPT', bodies: [refusal] }],
    { run: '20250601T120000000Z-case', tradingDate: '2025-06-01' },
  )
  const page = walk?.pages[0]
  if (!page) throw new Error('nothing was landed')
  // As `landWalk` has it for a refusal: test/support/landed.ts counts any object as a record.
  const read = accountReader(home, suffixes)({ ...page, rows: 0 }, 'maxBuySell')
  expect(read).toEqual({ records: [], expected: undefined, drift: [] })
})
