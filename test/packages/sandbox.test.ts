import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { compilePrograms, readGuide } from './guide.js'
import { type Installed, installed } from './installed.js'

const { programs, sources } = readGuide('docs/sandbox.md')
let sandbox: Installed

beforeAll(() => {
  sandbox = installed('candlehouse-sandbox')
})
afterAll(() => sandbox.remove())

describe('candlehouse-sandbox', () => {
  it('depends on nothing that only the warehouse or the client needs', () => {
    const dependencies = Object.keys(sandbox.tarball.manifest.dependencies)
    expect(dependencies).toContain('fastify')
    for (const name of ['@duckdb/node-api', 'apache-arrow', 'undici', 'p-retry', 'croner'])
      expect(dependencies).not.toContain(name)
  })

  it('holds only modules of the sandbox', () => {
    const folders = sandbox.tarball.modules.map((file) => /^dist\/src\/(\w+)\//.exec(file)?.[1])
    expect(new Set(folders)).toEqual(new Set(['sandbox', 'market', undefined]))
  })

  it('has a guide that shows an output for each of its programs', () => {
    expect(programs).toHaveLength(sources)
    expect(programs.length).toBeGreaterThanOrEqual(1)
  })

  it('has types that the programs of its guide compile against', () => {
    expect(compilePrograms(programs, sandbox.folder)).toEqual([])
  })

  it.each(programs)('prints what its guide shows: $name', async ({ name, output }) => {
    const file = join(sandbox.folder, `${name}.mjs`)
    expect(await promisify(execFile)(process.execPath, [file])).toEqual({ stdout: output, stderr: '' })
  })
})
