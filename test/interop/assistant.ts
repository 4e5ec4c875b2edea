/**
 * The Python client of the Model Context Protocol, from PyPI, asks the server for assistants on a home of the sandbox:
 * `make interop`. Exits with 1 where an answer is not as it should be.
 */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { packageRoot } from '../../src/package.js'
import { noteProgram } from './asked-programs.js'
import { makeHome } from './home.js'

const PYTHON = join(packageRoot, 'test/interop/.venv-mcp/bin/python')
const CLIENT = join(packageRoot, 'test/interop/engines/mcp_client.py')
const say = (line: string): boolean => process.stdout.write(`${line}\n`)

if (!existsSync(PYTHON)) {
  say('mcp: skipped, its Python client is not installed (PyPI is out of reach)')
  noteProgram('mcp', 'not installed')
  process.exit(0)
}
noteProgram('mcp')
const home = makeHome()
try {
  await home.nightly('2025-11-20')
  const main = join(packageRoot, 'dist/src/main.js')
  const { stdout } = await promisify(execFile)(PYTHON, [CLIENT, process.execPath, main, home.folder])
  const { tools, resources, prompts, ...checks } = JSON.parse(stdout) as {
    tools: string[]
    resources: number
    prompts: string[]
  } & Record<string, boolean>
  say(`mcp, Python client: tools ${tools.join(', ')}; ${resources} resources; prompts ${prompts.join(', ')}`)
  for (const [what, holds] of Object.entries(checks)) say(`  ${what}: ${holds ? 'as it should be' : 'WRONG'}`)
  if (Object.values(checks).includes(false)) process.exitCode = 1
} finally {
  home.remove()
}
