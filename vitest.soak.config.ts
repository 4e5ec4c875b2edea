import { defineConfig } from 'vitest/config'

const LONG_FORMS = [
  'test/audit/rules.test.ts',
  'test/brokerage/trading/dishonest-books.test.ts',
  'test/brokerage/trading/lost-writes.test.ts',
  'test/brokerage/walk-property.test.ts',
  'test/browser/console.test.ts',
  'test/browser/nights.test.ts',
  'test/bucket/bucket.test.ts',
  'test/cli/storage.test.ts',
  'test/console/catalog.test.ts',
  'test/contract/suite.test.ts',
  'test/e2e/calendar.test.ts',
  'test/e2e/contradictions.test.ts',
  'test/e2e/damage.test.ts',
  'test/e2e/damaged-home.test.ts',
  'test/e2e/damaged-pages.test.ts',
  'test/e2e/deadline.test.ts',
  'test/e2e/diskfull.test.ts',
  'test/e2e/keys.test.ts',
  'test/e2e/lost-columns.test.ts',
  'test/e2e/null-positions.test.ts',
  'test/e2e/odd-symbols.test.ts',
  'test/e2e/proportion/account-lies.test.ts',
  'test/e2e/proportion/evidence.test.ts',
  'test/e2e/proportion/one-fault.test.ts',
  'test/e2e/proportion/unseen-session.test.ts',
  'test/e2e/raw.test.ts',
  'test/e2e/readme.test.ts',
  'test/e2e/trade.test.ts',
  'test/json/page.test.ts',
  'test/load/lost-fields.test.ts',
  'test/load/quarantine.test.ts',
  'test/mart/bars.test.ts',
  'test/mart/breaks.test.ts',
  'test/mart/factors.test.ts',
  'test/packages/image.test.ts',
  'test/publish/bucket.test.ts',
  'test/publish/marts.test.ts',
  'test/read/explain/defects.test.ts',
  'test/recorded/recorded.test.ts',
  'test/sandbox/trading/conditional-life.test.ts',
  'test/sandbox/trading/rates.test.ts',
  'test/sandbox/world.test.ts',
  'test/trust/sessions.test.ts',
]

/**
 * Long programs: thousands of random runs, months of sessions. SOAK_SEED repeats one. Then all variants of the tests
 * that take some of them in `make test` (test/support/long.ts).
 */
export default defineConfig({
  test: {
    setupFiles: ['test/support/setup.ts'],
    globalSetup: ['test/support/build.ts', 'test/support/baselines.ts'],
    include: ['test/soak/*.test.ts', ...LONG_FORMS],
    env: { SOAK: '1' },
    testTimeout: 3_600_000,
    hookTimeout: 600_000,
    maxWorkers: 2,
  },
})
