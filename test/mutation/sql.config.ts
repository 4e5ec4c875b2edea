import { defineConfig, type Plugin } from 'vitest/config'
import { APART, PROGRAM, PURE } from '../support/projects.js'

const READ = "readFileSync(join(packageRoot, 'sql', path), 'utf8')"

/** Tests may replace one SQL text (`sql-setup.ts`): production code has no such way. */
const replaceable: Plugin = {
  name: 'candlehouse:sql-mutant',
  enforce: 'pre',
  transform(code, id) {
    if (!id.endsWith('/src/duckdb/sqlfile.ts')) return undefined
    if (!code.includes(READ)) throw new Error(`src/duckdb/sqlfile.ts has no ${READ} any more`)
    return code.replace(READ, `(globalThis.sqlTextOf?.(path) ?? ${READ})`)
  },
}

// As in `vitest.config.ts`: tests have few rows, a second thread of DuckDB only waits.
process.env.SLURM_CPUS_ON_NODE ??= '1'

// The disturbed recorded worlds are part of `make soak` otherwise (test/recorded/world.ts).
process.env.SQL_MUTANTS ??= '1'

/** The tests of the project `duckdb`, each file in a process of its own: an SQL text is read once per process. */
export default defineConfig({
  resolve: { tsconfigPaths: true },
  plugins: [replaceable],
  test: {
    include: ['test/**/*.test.ts'],
    exclude: [...APART, ...PURE, ...PROGRAM],
    setupFiles: ['test/support/setup.ts', 'test/mutation/sql-setup.ts'],
    pool: 'forks',
    isolate: true,
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    reporters: [{}],
  },
})
