import { defineConfig } from 'vitest/config'
import { APART, PROGRAM, PURE } from './test/support/projects.js'
import { LongestFirst } from './test/support/sequence.js'

export default defineConfig({
  test: {
    // A machine four times as slow, and busy with other things.
    testTimeout: 1_800_000,
    hookTimeout: 1_800_000,
    expect: { poll: { timeout: 240_000 } },
    sequence: { sequencer: LongestFirst },
    // Two cores, and tests that wait for the disk: with two workers a fifth of the time nobody computes.
    maxWorkers: 3,
    projects: [
      {
        extends: true,
        test: {
          name: 'pure',
          include: PURE,
          exclude: APART,
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
          exclude: [...APART, ...PURE, ...PROGRAM],
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
