import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { withSourcePlaces } from 'candlehouse-foundation/command-line/source-places'
import { expect, test } from 'vitest'
import { packageRoot } from '../../src/package.js'
import { temporaryFolder } from '../support/folder.js'
import { start } from './support/cli.js'

const OBSERVER = ['--import', join(import.meta.dirname, 'support/loaded.mjs')]

/** What takes longest to load; each of it belongs to few verbs. */
const HEAVY = ['@duckdb', 'apache-arrow', 'fastify', 'jose', 'pino', 'undici']

/** Packages whose code a command line loads, bundled or not. */
async function packagesLoaded(args: readonly string[]): Promise<Set<string>> {
  const cwd = temporaryFolder()
  const trace = join(cwd, 'trace')
  await start(args, { cwd, node: OBSERVER, env: { LOADED_TRACE: trace } }).ended
  const files = readFileSync(trace, 'utf8')
    .split('\n')
    .filter(isFile)
    .map((address) => fileURLToPath(address))
  return new Set(files.flatMap(sourcesOf).flatMap((path) => /node_modules\/([^/]+)/.exec(path)?.[1] ?? []))
}

const isFile = (address: string): boolean => address.startsWith('file:')

/** The sources of a bundle, which its map lists; of any other module the module itself. */
function sourcesOf(file: string): string[] {
  const map = `${file}.map`
  return existsSync(map) ? (JSON.parse(readFileSync(map, 'utf8')) as { sources: string[] }).sources : [file]
}

test.each([
  [['--version']],
  [['--help']],
  [['sql', '--help']],
  [['nightly', '--help']],
  [['config', 'show']],
])('%j loads nothing heavy', async (args) => {
  const loaded = await packagesLoaded(args)
  expect(loaded).toContain('commander')
  expect(HEAVY.filter((name) => loaded.has(name))).toEqual([])
})

test('--version loads no package but the parser of command lines', async () => {
  expect([...(await packagesLoaded(['--version']))]).toEqual(['commander'])
})

test.each([
  [['sql', 'select 1']],
  [['status']],
  [['trace', 'market.security', 'FPT']],
  [['plan', '--date', '2025-03-14']],
])('%j loads DuckDB, and neither a server nor a client', async (args) => {
  const loaded = await packagesLoaded(args)
  expect(HEAVY.filter((name) => loaded.has(name))).toEqual(['@duckdb'])
})

test('a stack names files and lines of the source', () => {
  const text = 'program = await createProgram('
  const [built, source] = [
    readdirSync(join(packageRoot, 'dist/chunks'))
      .filter((name) => name.endsWith('.js'))
      .map((name) => join(packageRoot, 'dist/chunks', name)),
    join(packageRoot, 'src/cli/program.ts'),
  ]
  const bundle = built.find((file) => readFileSync(file, 'utf8').includes(text)) ?? ''
  const stack = `Error: x\n    at invoke (${pathToFileURL(bundle)}:${placeOf(text, bundle)})`
  expect(withSourcePlaces(stack)).toBe(
    `Error: x\n    at invoke (src/cli/program.ts:${placeOf(text, source)})`,
  )
})

/** Line and column of a text in a file, both from one. */
function placeOf(text: string, file: string): string {
  const lines = readFileSync(file, 'utf8').split('\n')
  const line = lines.findIndex((candidate) => candidate.includes(text))
  return `${line + 1}:${(lines[line]?.indexOf(text) ?? 0) + 1}`
}
