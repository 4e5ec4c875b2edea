/**
 * What others make of the sandbox's OpenAPI document: redocly has nothing to say against it, and the clients that two generators write
 * from it, in Python and TypeScript, log in, place orders and read the book. Part of `make interop`; exits with 1 where one does not.
 */
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { RunningSandbox } from '../../packages/sandbox/src/options.js'
import { startWithEffects } from '../../packages/sandbox/src/start.js'
import { systemEffects } from '../../src/effects.js'
import { packageRoot } from '../../src/package.js'
import { noteProgram } from './asked-programs.js'

const run = promisify(execFile)
const clients = join(packageRoot, 'test/interop/clients')
const python = join(packageRoot, 'test/interop/.venv-api/bin')
const generated = join(clients, '.generated')
const say = (line: string): boolean => process.stdout.write(`${line}\n`)

/** Every rule that redocly recommends, warnings included: it exits with 0 for these. */
async function lint(dialect: 'spec' | 'live', file: string): Promise<void> {
  noteProgram('redocly')
  const { stdout } = await run('npx', ['redocly', 'lint', file, '--format', 'json'], { cwd: clients })
  const { totals } = JSON.parse(stdout.slice(stdout.indexOf('{'))) as {
    totals: { errors: number; warnings: number; ignored: number }
  }
  say(`redocly, ${dialect}: ${totals.errors} errors, ${totals.warnings} warnings, ${totals.ignored} ignored`)
  if (totals.errors + totals.warnings + totals.ignored > 0) process.exitCode = 1
}

const argumentsOf = ({ url, apiKey, apiSecret, otp }: RunningSandbox) => [url, apiKey, apiSecret, otp]

async function typescript(file: string, sandbox: RunningSandbox): Promise<void> {
  noteProgram('openapi-typescript')
  mkdirSync(generated, { recursive: true })
  await run('npx', ['openapi-typescript', file, '-o', join(generated, 'brokerage.d.ts')], { cwd: clients })
  const tsc = join(packageRoot, 'node_modules/typescript-native/bin/tsc')
  await run('node', [tsc, '-p', join(clients, 'tsconfig.json')])
  const program = [join(clients, 'place-order.ts'), ...argumentsOf(sandbox)]
  const { stdout } = await run('npx', ['tsx', ...program], { cwd: packageRoot })
  say(`TypeScript (openapi-typescript): ${stdout.trim()}`)
}

async function pythonClient(file: string, sandbox: RunningSandbox): Promise<void> {
  const generator = join(python, 'openapi-python-client')
  if (!existsSync(generator)) {
    say('Python: skipped, its generator is not installed (PyPI is out of reach)')
    noteProgram('openapi-python-client', 'not installed')
    return
  }
  noteProgram('openapi-python-client')
  const folder = mkdtempSync(join(tmpdir(), 'brokerage-client-'))
  try {
    const config = join(folder, 'config.json')
    writeFileSync(config, JSON.stringify({ post_hooks: [], package_name_override: 'brokerage_client' }))
    const output = ['--output-path', join(folder, 'brokerage_client'), '--meta', 'none', '--fail-on-warning']
    await run(generator, ['generate', '--path', file, '--config', config, ...output])
    const program = [join(clients, 'place_order.py'), ...argumentsOf(sandbox)]
    const { stdout } = await run(join(python, 'python'), program, {
      env: { ...process.env, PYTHONPATH: folder },
    })
    say(`Python (openapi-python-client): ${stdout.trim()}`)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const MORNING = { date: '2025-11-20', at: '10:00', drive: true } as const
const sandbox = await startWithEffects(MORNING, systemEffects)
const live = await startWithEffects({ ...MORNING, dialect: 'live' }, systemEffects)
const folder = mkdtempSync(join(tmpdir(), 'openapi-'))
try {
  const documentOf = async (name: string, { url }: RunningSandbox): Promise<string> => {
    const file = join(folder, `${name}.json`)
    writeFileSync(file, await (await fetch(`${url}/openapi.json`)).text())
    return file
  }
  const file = await documentOf('openapi', sandbox)
  await lint('spec', file)
  await lint('live', await documentOf('live', live))
  await typescript(file, sandbox)
  await pythonClient(file, sandbox)
} catch (error) {
  const { stdout = '', stderr = '', message } = error as { stdout?: string; stderr?: string; message: string }
  say(`${message}\n${stdout}${stderr}`)
  process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true })
  await sandbox.close()
  await live.close()
}
