/**
 * The first step of the build: the programs in few files, the libraries module by module. The one is for starting fast,
 * the other for other people's bundlers and debuggers (docs/decisions/0045-programs-are-bundled.md).
 */
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { writeLicenses } from './licenses.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const dist = join(root, 'dist')

/** Processes and threads. Everything they use is bundled, except for DuckDB's native library. */
const PROGRAMS = ['src/main', 'src/sandbox/worker', 'src/template', 'src/manual']

/** Entries of packages and their commands: their npm packages stay imports. */
const LIBRARIES = ['src/index', 'src/sandbox/library', 'src/sandbox-main']

/** A map names lines of src; the text of src is not in it. */
const MAPS = { sourcemap: true, sourcemapExcludeSources: true }

const NATIVE = '@duckdb/node-bindings'

/** @param {string[]} names @param {Pick<import('rolldown').InputOptions, 'external' | 'plugins'>} options */
function read(names, options) {
  const input = Object.fromEntries(names.map((name) => [name, `${name}.ts`]))
  return rolldown({ cwd: root, input, platform: 'node', tsconfig: 'tsconfig.json', ...options })
}

/**
 * undici's entry evaluates fetch, WebSocket, caches and mocks too: half of what the client costs at a start. The programs have
 * its agent alone.
 */
const agentOfUndici = {
  name: 'agent-of-undici',
  resolveId: (/** @type {string} */ name) =>
    name === 'undici' ? join(root, 'packages/undici-agent.cjs') : null,
}

async function bundlePrograms() {
  const bundle = await read(PROGRAMS, { external: [NATIVE], plugins: [agentOfUndici] })
  const { output } = await bundle.write({
    dir: dist,
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name].js',
    ...MAPS,
  })
  return output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
}

async function writeLibraries() {
  const bundle = await read(LIBRARIES, { external: /^[^./\0]/ })
  await bundle.write({ dir: dist, preserveModules: true, preserveModulesRoot: root, ...MAPS })
}

for (const name of existsSync(dist) ? readdirSync(dist) : [])
  if (!name.endsWith('.duckdb')) rmSync(join(dist, name), { recursive: true })
await writeLibraries()
writeLicenses(await bundlePrograms(), join(dist, 'licenses.txt'))
