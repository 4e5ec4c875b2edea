import { defineConfig } from 'vitest/config'
import { LongestFirst } from './test/support/sequence.js'

export default defineConfig({
  test: {
    globalSetup: ['test/support/build.ts'],
    include: ['test/**/*.test.ts'],
    exclude: ['test/bench/**', 'test/soak/**', 'test/interop/**'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    sequence: { sequencer: LongestFirst },
    // Two cores, and tests that wait for the disk: with two workers a fifth of the time nobody computes.
    maxWorkers: 3,
  },
})
