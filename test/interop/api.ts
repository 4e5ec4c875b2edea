/**
 * Schemathesis reads the OpenAPI document of a running sandbox, asks what follows from it and what contradicts it, and
 * reports each answer that the document does not have: `make interop`. Exits with 1 on any.
 */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RunningSandbox } from '../../packages/sandbox/src/options.js'
import { startWithEffects } from '../../packages/sandbox/src/start.js'
import { systemEffects } from '../../src/effects.js'
import { packageRoot } from '../../src/package.js'
import { noteProgram } from './asked-programs.js'

const HOOKS = join(packageRoot, 'test/interop/engines')
const CONFIG = join(packageRoot, 'test/interop/schemathesis.toml')
const PROGRAM = join(packageRoot, 'test/interop/.venv-api/bin/schemathesis')
/** Cases per operation in the phase of random requests; the phases before follow from the document. */
const CASES = process.argv[2] ?? '50'
const SEED = '20251120'
const say = (line: string): boolean => process.stdout.write(`${line}\n`)

if (!existsSync(PROGRAM)) {
  say('schemathesis: skipped, it is not installed (PyPI is out of reach)')
  noteProgram('schemathesis', 'not installed')
  process.exit(0)
}
noteProgram('schemathesis')

/** Logins end the session of every other request: they are checked in a run, and against a sandbox, of their own. */
const RUNS = [
  ['spec', '--exclude-path-regex', '^/(sandbox/|api/v3/auth/)'],
  ['spec', '--include-path-regex', '^/api/v3/auth/'],
  ['live', '--exclude-path-regex', '^/(sandbox/|api/v3/auth/)'],
] as const

async function check([dialect, option, paths]: (typeof RUNS)[number]): Promise<number> {
  const answers = new Map<string, number>()
  const sandbox = await startWithEffects(
    {
      date: '2025-11-20',
      trade: '11:00',
      dialect,
      // The live dialect has a limit, which would be most of the answers.
      rateLimit: { limit: 1_000_000, windowSeconds: 1 },
      log: (line) => {
        const status = line.split('  ')[1] ?? ''
        answers.set(status, (answers.get(status) ?? 0) + 1)
      },
    },
    systemEffects,
  )
  const code = await runSchemathesis(sandbox, [option, paths])
  const counts = [...answers].sort().map(([status, count]) => `${status} ${count}`)
  say(
    `schemathesis ${dialect} ${paths}: ${sandbox.requests()} requests, answers by status: ${counts.join(', ')}`,
  )
  await sandbox.close()
  return code
}

async function runSchemathesis(
  { url, apiKey, apiSecret, otp }: RunningSandbox,
  paths: readonly string[],
): Promise<number> {
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
  const words = ['--config-file', CONFIG, 'run', `${url}/openapi.json`, ...headers, ...paths]
  const options = [
    '--checks',
    'all',
    '--max-examples',
    CASES,
    '--seed',
    SEED,
    '--suppress-health-check',
    'all',
  ]
  const checker = spawn(PROGRAM, [...words, ...options, '--no-color'], {
    stdio: 'inherit',
    // It leaves a folder of its own where it runs.
    cwd: tmpdir(),
    env: { ...process.env, SCHEMATHESIS_HOOKS: 'api_checks', PYTHONPATH: HOOKS },
  })
  return await new Promise<number>((resolve, reject) => {
    checker.on('error', reject)
    checker.on('close', (exit) => resolve(exit ?? 1))
  })
}

for (const run of RUNS) process.exitCode = (await check(run)) || process.exitCode
