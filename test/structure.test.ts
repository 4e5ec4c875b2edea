import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { packageRoot } from '../src/package.js'
import { filesIn, SOURCE_FOLDERS } from './support/sources.js'

const read = (path: string): string => readFileSync(join(packageRoot, path), 'utf8')

const sources = filesIn(SOURCE_FOLDERS, '.ts')

describe('the house', () => {
  test('imports go one way', () => {
    const cruiser = join(packageRoot, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs')
    execFileSync(process.execPath, [cruiser, ...SOURCE_FOLDERS, '--config', '.dependency-cruiser.cjs'], {
      cwd: packageRoot,
      stdio: 'pipe',
    })
  })

  test('has no drawers', () => {
    const drawers = sources.filter((path) =>
      /(^|\/)(utils?|helpers?|common|lib|misc|shared)(\/|\.ts$)/.test(path),
    )
    expect(drawers.map((path) => `${path} is in a drawer: name it for its subject`)).toEqual([])
  })

  test('files are read in one sitting', () => {
    const long = sources
      .map((path) => [path, read(path).split('\n').length] as const)
      .filter(([, lines]) => lines > 300)
      .map(([path, lines]) => `${path} has ${lines} lines, 300 are the most: give each subject a file`)
    expect(long).toEqual([])
  })

  test('every room of the map exists, and every room is on the map', () => {
    const rooms = readdirSync(join(packageRoot, 'src'), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name)
    const mapped = [...read('src/README.md').matchAll(/^\| `(\w+)\/` +\|/gm)].map(([, name]) => name)
    expect(mapped.sort()).toEqual(rooms.sort())
  })

  test('every SQL file says its grain or its purpose in line one', () => {
    const silent = filesIn(['sql'], '.sql').filter((path) => !read(path).startsWith('-- '))
    expect(silent.map((path) => `${path} begins without a comment: add its grain or purpose`)).toEqual([])
  })

  test('nobody but the process edge touches the clock, chance or the environment', () => {
    const outside = ['packages/foundation/src/effects.ts', 'src/cli/process.ts']
    const touching = sources
      .filter((path) => !outside.includes(path))
      .filter((path) => /Date\.now\(\)|Math\.random\(\)|process\.env\b|new Date\(\)/.test(read(path)))
    expect(touching.map((path) => `${path} reads them itself: take them from Effects`)).toEqual([])
  })
})

describe('the package', () => {
  const manifest = JSON.parse(read('package.json')) as Record<string, Record<string, string>>

  test('pins every version', () => {
    const versions = { ...manifest.dependencies, ...manifest.devDependencies }
    const loose = Object.entries(versions).filter(
      ([, version]) => !/^(npm:[a-z]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(version),
    )
    expect(loose.map(([name, version]) => `${name} ${version}: pin one version in package.json`)).toEqual([])
  })

  test('has a lock file without download addresses', () => {
    expect(read('package-lock.json')).not.toMatch(/"resolved": "http/)
  })

  test('has a lock file that names the packages of every platform: npm ci refuses one that does not', () => {
    const { packages } = JSON.parse(read('package-lock.json')) as {
      packages: Record<string, { optionalDependencies?: Record<string, string> }>
    }
    const missing = Object.values(packages)
      .flatMap(({ optionalDependencies }) => Object.keys(optionalDependencies ?? {}))
      .filter((name) => !Object.keys(packages).some((path) => path.endsWith(`node_modules/${name}`)))
    expect(missing.map((name) => `${name} is missing: remove node_modules, then npm install`)).toEqual([])
  })

  test('every package runs on the oldest Node we promise', () => {
    const locked = JSON.parse(read('package-lock.json')) as {
      packages: Record<string, { engines?: { node?: string }; dev?: boolean }>
    }
    const newer = Object.entries(locked.packages)
      .filter(([path, { dev }]) => path !== '' && !dev)
      .filter(([, { engines }]) => /^>=\s*2[1-9]/.test(engines?.node ?? ''))
      .map(([path, { engines }]) => `${path} needs Node ${engines?.node}: pin a version for Node 20.19`)
    expect(newer).toEqual([])
  })

  test('ships what it names', () => {
    for (const path of ['LICENSE', 'README.md', 'CHANGELOG.md', 'sql', 'data/reference']) {
      expect(existsSync(join(packageRoot, path)), path).toBe(true)
    }
  })
})
