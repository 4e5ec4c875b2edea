/**
 * The public SDK of this API, from its registry and unchanged, makes each of its calls against the sandbox in the live dialect:
 * `make interop`. Each works or is in the table of docs/other-clients.md, and what is in the table does not. Exits with 1 otherwise.
 */
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DOTNET_XML, PUBLIC_KEY } from '../../packages/client/test/support/signing-key.js'
import { startWithEffects } from '../../packages/sandbox/src/start.js'
import { systemEffects } from '../../src/effects.js'
import { packageRoot } from '../../src/package.js'
import { noteProgram } from './asked-programs.js'

const PYTHON = join(packageRoot, 'test/interop/.venv-sdk/bin/python')
const PROGRAM = join(packageRoot, 'test/interop/engines/sdk_calls.py')
const PAGE = join(packageRoot, 'docs/other-clients.md')

interface Called {
  readonly call: string
  readonly works: boolean
  readonly detail: string
}

const say = (line: string): boolean => process.stdout.write(`${line}\n`)

/** Calls that the page explains, with their reasons. */
function explained(): Map<string, string> {
  const rows = readFileSync(PAGE, 'utf8').matchAll(/^\| ([A-Z]\w+\.\w+) +\| (.+?) +\|$/gm)
  return new Map([...rows].map(([, call = '', reason = '']) => [call, reason]))
}

async function calls(): Promise<Called[]> {
  // The opening auction of a day that has everything; its limit is out of the way of a program that makes 90 calls at once.
  const sandbox = await startWithEffects(
    {
      date: '2025-11-20',
      at: '09:05',
      drive: true,
      dialect: 'live',
      rateLimit: { limit: 1_000, windowSeconds: 1 },
      publicKey: PUBLIC_KEY,
    },
    systemEffects,
  )
  const child = spawn(PYTHON, [PROGRAM], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: process.env.PATH,
      SERVICE_URL: sandbox.url,
      API_KEY: sandbox.apiKey,
      API_SECRET: sandbox.apiSecret,
      OTP: sandbox.otp,
      PRIVATE_KEY: Buffer.from(DOTNET_XML).toString('base64'),
      CASH_ACCOUNT: '0881234561',
      DERIVATIVE_ACCOUNT: '0881234568',
    },
  })
  let text = ''
  child.stdout.on('data', (part) => (text += String(part)))
  const code = await new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', resolve)
  })
  await sandbox.close()
  if (code !== 0) throw new Error(`the program ended with ${String(code)}`)
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Called)
}

if (!existsSync(PYTHON)) {
  say('the SDK of this API: skipped, it is not installed (PyPI is out of reach)')
  noteProgram('sdk', 'not installed')
  process.exit(0)
}
noteProgram('sdk')
const table = explained()
const made = await calls()
const failed = new Map(made.filter(({ works }) => !works).map(({ call, detail }) => [call, detail]))
for (const [call, detail] of failed) say(`  ${call}: ${table.get(call) ?? `NOT EXPLAINED: ${detail}`}`)
const unexplained = [...failed.keys()].filter((call) => !table.has(call))
const outdated = [...table.keys()].filter((call) => !failed.has(call))
for (const call of outdated) say(`  ${call}: works, or is not called; take it out of docs/other-clients.md`)
say(
  `the SDK of this API: ${made.length - failed.size} of ${made.length} calls work, ${failed.size} do not, ${unexplained.length} without a reason`,
)
process.exitCode = unexplained.length > 0 || outdated.length > 0 ? 1 : 0
