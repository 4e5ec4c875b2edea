import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    globalSetup: ['test/support/build.ts'],
    include: ['test/**/*.test.ts'],
    exclude: ['test/bench/**', 'test/soak/**', 'test/interop/**'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Two cores: DuckDB and the sandbox share them with the test processes.
    maxWorkers: 2,
  },
})
