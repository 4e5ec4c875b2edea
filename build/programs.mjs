/**
 * The first step of the build: the programs of the warehouse in few files, which start fast
 * (docs/decisions/0045-programs-are-bundled.md). They run as processes and threads; all they use is in them, except for
 * DuckDB's native library.
 */
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { writeLicenses } from './licenses.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const dist = join(root, 'dist')

const PROGRAMS = {
  'src/main': 'src/main.ts',
  'build/template': 'build/template.ts',
  'build/manual': 'build/manual.ts',
  'sandbox-worker': 'packages/sandbox/src/worker.ts',
  'assistant-worker': 'src/mcp/worker.ts',
  'own-sql-worker': 'src/mine/own-worker.ts',
}

const NATIVE = '@duckdb/node-bindings'

/**
 * undici's entry evaluates fetch, WebSocket, caches and mocks too: half of what the client costs at a start. The programs have
 * its agent alone.
 */
const agentOfUndici = {
  name: 'agent-of-undici',
  resolveId: (/** @type {string} */ name) =>
    name === 'undici' ? join(root, 'build/undici-agent.cjs') : null,
}

for (const name of existsSync(dist) ? readdirSync(dist) : [])
  if (!name.endsWith('.duckdb')) rmSync(join(dist, name), { recursive: true })
const bundle = await rolldown({
  cwd: root,
  input: PROGRAMS,
  platform: 'node',
  tsconfig: 'tsconfig.json',
  // The oldest Node of package.json, which has no `using`.
  transform: { target: 'node20.19' },
  external: [NATIVE],
  plugins: [agentOfUndici],
})
// A map names lines of the source, for bug reports (candlehouse-foundation/command-line/source-places); it has no source, and
// debuggers, which would ask for one, are not led to it.
const { output } = await bundle.write({
  dir: dist,
  entryFileNames: '[name].js',
  chunkFileNames: 'chunks/[name].js',
  sourcemap: 'hidden',
  sourcemapExcludeSources: true,
})
const modules = output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
writeLicenses(modules, join(dist, 'licenses.txt'))
