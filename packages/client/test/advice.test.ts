import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { packageRoot } from '../../../src/package.js'
import { filesIn } from '../../../test/support/sources.js'
import { createClient } from '../src/index.js'

test('no source of the client advises a command', () => {
  const sources = filesIn(['packages/client/src'], '.ts')
  expect(sources.length).toBeGreaterThan(50)
  const advising = sources.filter((path) =>
    /same command|`candlehouse |run `|candlehouse (login|nightly|status)/.test(
      readFileSync(join(packageRoot, path), 'utf8'),
    ),
  )
  expect(advising).toEqual([])
})

test('a program has words of its own', async () => {
  const options = { baseUrl: 'http://127.0.0.1:1', apiKey: undefined, apiSecret: undefined }
  const plain = createClient(options)
  await expect(plain.market.indexList({})).rejects.toMatchObject({
    hint: 'set BROKER_API_KEY and BROKER_API_SECRET, then try again',
  })
  await plain.close()
  const words = {
    again: 'click Retry',
    later: 'wait',
    damaged: 'wait',
    otp: 'type the code',
    smartOtp: 'approve it',
    otpInstead: 'type the code',
  }
  const worded = createClient({ ...options, advice: words })
  await expect(worded.market.indexList({})).rejects.toMatchObject({
    hint: 'set BROKER_API_KEY and BROKER_API_SECRET, then click Retry',
  })
  await worded.close()
})
