/**
 * The client as a package on Node, Deno and Bun against the sandbox: `make interop`. On Bun, whose undici is a stub, the whole
 * client has to say so before it sends anything, and its part without the transport has to work. Exits with 1 otherwise.
 */
import { execFile } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startWithEffects } from '../../packages/sandbox/src/start.js'
import { systemEffects } from '../../src/effects.js'
import { packageRoot } from '../../src/package.js'
import { installed } from '../packages/installed.js'
import { noteProgram } from './asked-programs.js'

const PACKAGES = join(packageRoot, 'test/interop/node_modules')
const DENO = join(PACKAGES, '@deno/linux-x64-glibc/deno')
const BUN = join(PACKAGES, '@oven/bun-linux-x64/bin/bun')

const WHOLE = `import { createClient, pages, parseDay, queries, rowsOf } from 'candlehouse-client'
const { BROKER_BASE_URL: baseUrl, BROKER_API_KEY: apiKey, BROKER_API_SECRET: apiSecret, BROKER_OTP: otp } = process.env
let client
try {
  client = createClient({ baseUrl, apiKey, apiSecret, otp })
} catch (error) {
  console.log(error.name, error.message)
  process.exit(0)
}
const query = queries.ohlc({ symbol: 'FPT', timeframe: '1d', from: parseDay('2025-11-17'), to: parseDay('2025-11-19') })
for await (const page of pages(client.market, 'ohlc', query)) console.log(rowsOf('ohlc', page).length, page.end?.state)
console.log(rowsOf('accountInfo', await client.accounts.accountInfo()).length)
const closing = AbortSignal.abort(new Error('closing'))
await client.market.indexList({}, closing).catch((error) => console.log(error === closing.reason))
await client.close()
`
const PART = `import { parseDay, parseDecimal } from 'candlehouse-client/decode'
console.log(parseDecimal('6,003,500'), parseDay('02/01/2025'))
`
const WORKS = '3 complete\n3\ntrue\n'
const STUB = 'SettingsError this runtime has no undici that sends requests (Bun has a stub of it)\n'
const PARSED = '6003500 2025-01-02\n'

const say = (line: string): boolean => process.stdout.write(`${line}\n`)
const client = installed('packages/client')
const sandbox = await startWithEffects({ date: '2025-11-20', at: '10:00' }, systemEffects)
writeFileSync(join(client.folder, 'whole.mjs'), WHOLE)
writeFileSync(join(client.folder, 'part.mjs'), PART)
let failures = 0
for (const [name, program, args, whole] of [
  ['node', process.execPath, [], WORKS],
  ['deno', DENO, ['run', '--allow-all', '--no-remote'], WORKS],
  ['bun', BUN, [], STUB],
] as const) {
  if (!existsSync(program)) {
    say(`the client on ${name}: skipped, it is not installed`)
    if (name !== 'node') noteProgram(name, 'not installed')
    continue
  }
  if (name !== 'node') noteProgram(name)
  for (const [file, expected] of [
    ['whole.mjs', whole],
    ['part.mjs', PARSED],
  ] as const) {
    const { stdout, stderr } = await promisify(execFile)(program, [...args, file], {
      cwd: client.folder,
      timeout: 60_000,
      env: {
        PATH: process.env.PATH,
        HOME: client.folder,
        BROKER_BASE_URL: sandbox.url,
        BROKER_API_KEY: sandbox.apiKey,
        BROKER_API_SECRET: sandbox.apiSecret,
        BROKER_OTP: sandbox.otp,
      },
    }).catch((error: { stdout?: string; message: string }) => ({
      stdout: error.stdout ?? '',
      stderr: error.message,
    }))
    const isRight = stdout === expected
    if (!isRight) failures++
    say(`the client on ${name}, ${file}: ${isRight ? 'as expected' : `${stdout}${stderr}`}`)
  }
}
await sandbox.close()
client.remove()
process.exitCode = failures > 0 ? 1 : 0
