import { defineConfig } from 'vitest/config'

/** Long programs: thousands of random runs, months of sessions. SOAK_SEED repeats one. */
export default defineConfig({
  test: {
    setupFiles: ['test/support/setup.ts'],
    globalSetup: ['test/support/build.ts'],
    include: ['test/soak/*.test.ts'],
    testTimeout: 3_600_000,
    hookTimeout: 600_000,
    maxWorkers: 2,
  },
})
