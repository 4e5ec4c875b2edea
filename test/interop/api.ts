/**
 * Schemathesis reads the OpenAPI document of a running sandbox, asks what follows from it and what contradicts it, and
 * reports each answer that the document does not have: `make interop`. Exits with 1 on any.
 */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startWithEffects } from '../../packages/sandbox/src/start.js'
import { systemEffects } from '../../src/effects.js'
import { packageRoot } from '../../src/package.js'

const PROGRAM = join(packageRoot, 'test/interop/.venv-api/bin/schemathesis')
/** Cases per operation in the phase of random requests; the phases before follow from the document. */
const CASES = process.argv[2] ?? '50'
const SEED = '20251120'
const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_schema_conformance',
  'unsupported_method',
  'ignored_auth',
]

const say = (line: string): boolean => process.stdout.write(`${line}\n`)

if (!existsSync(PROGRAM)) {
  say('schemathesis: skipped, it is not installed (PyPI is out of reach)')
  process.exit(0)
}

const answers = new Map<string, number>()
const sandbox = await startWithEffects(
  {
    date: '2025-11-20',
    trade: '11:00',
    log: (line) => {
      const status = line.split('  ')[1] ?? ''
      answers.set(status, (answers.get(status) ?? 0) + 1)
    },
  },
  systemEffects,
)
const { url, apiKey, apiSecret, otp } = sandbox
const login = await fetch(`${url}/api/v3/auth/token`, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ apiKey, apiSecret, otp }),
})
const { accessToken } = (await login.json()) as { accessToken: string }
const headers = [
  `Authorization: Bearer ${accessToken}`,
  'Content-Type: application/json',
  'X-Signature: sha256=00ff',
].flatMap((header) => ['--header', header])
const OPTIONS = {
  '--exclude-path-regex': '^/sandbox/',
  '--checks': CHECKS.join(','),
  '--max-examples': CASES,
  '--seed': SEED,
  '--suppress-health-check': 'all',
}
const checker = spawn(
  PROGRAM,
  ['run', `${url}/openapi.json`, ...headers, ...Object.entries(OPTIONS).flat(), '--no-color'],
  // It leaves a folder of its own where it runs.
  { stdio: 'inherit', cwd: tmpdir() },
)
const code = await new Promise<number>((resolve, reject) => {
  checker.on('error', reject)
  checker.on('close', (exit) => resolve(exit ?? 1))
})
const counts = [...answers].sort().map(([status, count]) => `${status} ${count}`)
say(`schemathesis: ${sandbox.requests()} requests, answers by status: ${counts.join(', ')}`)
await sandbox.close()
process.exitCode = code
