import { defineConfig } from 'vitest/config'

/** The tests of one scope, as Stryker runs them: again for every mutant. */
export default defineConfig({
  resolve: { tsconfigPaths: true },
  test: {
    include: (process.env.MUTATION_TESTS ?? '').split(' '),
    setupFiles: ['test/support/setup.ts'],
  },
})
