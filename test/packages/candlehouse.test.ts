import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { packageRoot } from '../../src/package.js'
import { type Installed, installed } from './installed.js'

let candlehouse: Installed

beforeAll(() => {
  candlehouse = installed('candlehouse')
})
afterAll(() => candlehouse.remove())

/** Runs a command that the package declares, in the folder it is installed in. */
async function run(...args: string[]): Promise<string> {
  const { name, bin = {} } = candlehouse.tarball.manifest
  const program = join(candlehouse.folder, 'node_modules', name, bin.candlehouse ?? '')
  // Nothing of the machine that runs the test may reach the program but where its programs are.
  const env = { PATH: process.env.PATH, HOME: candlehouse.folder }
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...args], {
    cwd: candlehouse.folder,
    env,
  })
  return stdout
}

describe('candlehouse', () => {
  it('needs every dependency that package.json lists', () => {
    const root = JSON.parse(
      readFileSync(join(packageRoot, 'package.json'), 'utf8'),
    ) as Installed['tarball']['manifest']
    expect(candlehouse.tarball.manifest.dependencies).toEqual(root.dependencies)
  })

  it('says its name and command as package.json does', () => {
    const root = JSON.parse(
      readFileSync(join(packageRoot, 'package.json'), 'utf8'),
    ) as Installed['tarball']['manifest']
    const { name, version, description, license, engines, exports, types, bin } = candlehouse.tarball.manifest
    const shared = { name, version, description, license, engines, exports, types, bin }
    expect(root).toMatchObject(shared)
  })

  it('runs a nightly and answers SQL from an empty folder', async () => {
    const nightly = JSON.parse(await run('nightly', '--date', '2025-11-20', '--json')) as object
    expect(nightly).toMatchObject({ job: 'nightly', tradingDate: '2025-11-20', exitCode: 0 })
    const boards = await run('sql', '--json', 'select board from market.security group by 1 order by 1')
    expect(JSON.parse(boards)).toMatchObject([{ board: 'HNX' }, { board: 'HOSE' }, { board: 'UPCOM' }])
  })

  it('has an entry that is the client', async () => {
    const entry = (await import(candlehouse.entry)) as Record<string, unknown>
    expect(Object.keys(entry)).toEqual(
      expect.arrayContaining(['createClient', 'createTradingClient', 'decode']),
    )
  })

  it('has the documentation and examples of the repository', () => {
    const files = readdirSync(join(candlehouse.folder, 'node_modules/candlehouse'))
    expect(files).toEqual(
      expect.arrayContaining([
        'CHANGELOG.md',
        'LICENSE',
        'README.md',
        'docs',
        'examples',
        'package.json',
        'sql',
      ]),
    )
  })
})
