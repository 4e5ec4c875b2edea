import { defineConfig } from 'vitest/config'
import { LongestFirst } from './test/support/sequence.js'

/** Neither DuckDB nor a process: a test holds that nothing below reaches either (test/structure/projects.test.ts). */
const PURE = [
  'test/brokerage/**/*.test.ts',
  'test/cli/{render,views,words}.test.ts',
  'test/docs/references.test.ts',
  'test/market/*.test.ts',
  'test/packages/{manifest,release}.test.ts',
  'test/plan/*.test.ts',
  'test/read/trace/{key,record}.test.ts',
  'test/sandbox/**/*.test.ts',
  'test/schedule/loop.test.ts',
  'test/secrets.test.ts',
  'test/standin/*.test.ts',
  'test/structure/functions.test.ts',
]

/** The program as users run it, and whatever else starts processes of what was built. */
const PROGRAM = [
  'test/packages/{candlehouse,client,sandbox}.test.ts',
  'test/contract/*.test.ts',
  'test/e2e/*.test.ts',
  'test/examples/*.test.ts',
  'test/packages/*.test.ts',
]

const NEVER = ['test/bench/**', 'test/soak/**', 'test/interop/**']

export default defineConfig({
  test: {
    // A machine four times as slow, and busy with other things.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    sequence: { sequencer: LongestFirst },
    // Two cores, and tests that wait for the disk: with two workers a fifth of the time nobody computes.
    maxWorkers: 3,
    projects: [
      {
        extends: true,
        test: {
          name: 'pure',
          include: PURE,
          exclude: [...NEVER, ...PROGRAM],
          setupFiles: ['test/support/setup.ts'],
          pool: 'threads',
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'duckdb',
          include: ['test/**/*.test.ts'],
          exclude: [...NEVER, ...PURE, ...PROGRAM],
          setupFiles: ['test/support/setup.ts'],
          pool: 'forks',
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'program',
          include: PROGRAM,
          setupFiles: ['test/support/setup.ts'],
          globalSetup: ['test/support/build.ts', 'test/support/baselines.ts'],
          pool: 'forks',
          isolate: false,
        },
      },
    ],
  },
})
