import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { packageRoot } from '../../src/package.js'
import { compilePrograms, readGuide } from './guide.js'
import { type Installed, installed, modulesOf } from './installed.js'

const { programs, sources } = readGuide('packages/sandbox/README.md')
let sandbox: Installed

beforeAll(() => {
  sandbox = installed('packages/sandbox')
})
afterAll(() => sandbox.remove())

function commandFile(): string {
  const { name, bin = {} } = sandbox.tarball.manifest
  return join(sandbox.folder, 'node_modules', name, bin[name] ?? '')
}

describe('candlehouse-sandbox', () => {
  it('depends on nothing that only the warehouse or the client needs', () => {
    const dependencies = Object.keys(sandbox.tarball.manifest.dependencies)
    expect(dependencies).toContain('fastify')
    for (const name of ['@duckdb/node-api', 'apache-arrow', 'undici', 'p-retry', 'croner'])
      expect(dependencies).not.toContain(name)
  })

  it('holds only modules of the sandbox', () => {
    expect(modulesOf(sandbox.tarball)).toEqual(new Set(['sandbox', 'foundation', 'bundled']))
  })

  it('has a command that listens until it is stopped', async () => {
    const child = spawn(process.execPath, [commandFile(), '--date', '2025-11-20', '--at', '10:00'])
    const closed = once(child, 'close') as Promise<[number | null]>
    const line = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
    const { openapi } = JSON.parse(line[0]) as { openapi: string }
    expect((await fetch(openapi)).status).toBe(200)
    child.kill('SIGINT')
    expect((await closed)[0]).toBe(0)
  })

  it('has a command that names itself where it fails', async () => {
    await expect(
      promisify(execFile)(process.execPath, [commandFile(), '--at', '10:00']),
    ).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /^candlehouse-sandbox: --at, --trade and --drive need --date: .*\n {2}next: candlehouse-sandbox --date /,
      ),
    })
  })

  it('has a guide that shows an output for each of its programs', () => {
    expect(programs).toHaveLength(sources)
    expect(programs.length).toBeGreaterThanOrEqual(1)
  })

  it('has types that the programs of its guide compile against', () => {
    expect(compilePrograms(programs, sandbox.folder)).toEqual([])
  })

  it('has a suite of forty lines in its guide, which passes in a project with nothing else', async () => {
    const guide = readFileSync(join(packageRoot, 'packages/sandbox/README.md'), 'utf8')
    const suite = /```js\n([\s\S]*?)```/.exec(guide)?.[1] ?? ''
    expect(suite.trim().split('\n').length).toBeLessThanOrEqual(40)
    const file = join(sandbox.folder, 'stranger.test.mjs')
    writeFileSync(file, suite)
    const reporter = ['--test', '--test-reporter', 'tap', file]
    const { stdout } = await promisify(execFile)(process.execPath, reporter)
    expect(stdout.match(/^# (tests|pass|fail) \d+$/gm)).toEqual(['# tests 3', '# pass 3', '# fail 0'])
  })

  it.each(programs)('prints what its guide shows: $name', async ({ name, output }) => {
    const file = join(sandbox.folder, `${name}.mjs`)
    expect(await promisify(execFile)(process.execPath, [file])).toEqual({ stdout: output, stderr: '' })
  })
})
