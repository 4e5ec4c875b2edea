/**
 * Which tests belong to which project of Vitest; all others belong to `duckdb`. Patterns: `*` within a folder, `**` with
 * all folders below.
 */

/** Neither DuckDB nor a process: all of them in seconds, again at every change with `make watch`. */
export const PURE = [
  'packages/*/test/**/*.test.ts',
  'test/bucket/*.test.ts',
  'test/cli/explain.test.ts',
  'test/cli/prompt/completion.test.ts',
  'test/cli/prompt/statements.test.ts',
  'test/cli/render.test.ts',
  'test/cli/views.test.ts',
  'test/cli/words.test.ts',
  'test/cli/wrap.test.ts',
  'test/console/accounts-page.test.ts',
  'test/console/margin-warning.test.ts',
  'test/console/sql-page.test.ts',
  'test/console/chart.test.ts',
  'test/console/page-views.test.ts',
  'test/console/screen.test.ts',
  'test/console/bars-in-view.test.ts',
  'test/console/time-axis.test.ts',
  'test/docs/questions.test.ts',
  'test/docs/two-hundred-questions.test.ts',
  'test/docs/references.test.ts',
  'test/fetch/*.test.ts',
  'test/home/home.test.ts',
  'test/mine/own-page-text.test.ts',
  'test/mine/rule-head.test.ts',
  'test/mine/view-head.test.ts',
  'test/mutation/mutation.test.ts',
  'test/night/advice.test.ts',
  'test/night/conclude.test.ts',
  'test/night/conclusion-file.test.ts',
  'test/night/last-run.test.ts',
  'test/night/progress.test.ts',
  'test/night/reasons.test.ts',
  'test/packages/release.test.ts',
  'test/plan/*.test.ts',
  'test/read/explain/differences.test.ts',
  'test/read/trace/key.test.ts',
  'test/read/trace/record.test.ts',
  'test/report/accounts.test.ts',
  'test/report/drawings.test.ts',
  'test/report/figures.test.ts',
  'test/simulate/disk.test.ts',
  'test/standin/*.test.ts',
]

/** The built program and what else starts processes of what was built. */
export const PROGRAM = [
  'test/browser/*.test.ts',
  'test/contract/*.test.ts',
  'test/docs/site.test.ts',
  'test/e2e/*.test.ts',
  'test/e2e/proportion/*.test.ts',
  'test/examples/*.test.ts',
  'test/packages/candlehouse.test.ts',
  'test/packages/client.test.ts',
  'test/packages/image.test.ts',
  'test/packages/sandbox.test.ts',
]

/** Not part of `make test`. */
export const APART = ['test/bench/**', 'test/soak/**', 'test/interop/**']

/**
 * `make unit` does not run these, `make test` does: tests of `duckdb` that load, check and publish many times, or compute a recorded world
 * again. Two thirds of the project's time.
 */
export const LENGTHY = [
  'test/audit/orders.test.ts',
  'test/audit/portion.test.ts',
  'test/audit/rules.test.ts',
  'test/cli/bucket.test.ts',
  'test/cli/storage.test.ts',
  'test/import/load.test.ts',
  'test/load/differential.test.ts',
  'test/load/evidence.test.ts',
  'test/load/lost-fields.test.ts',
  'test/load/quarantine.test.ts',
  'test/mart/cases.test.ts',
  'test/mart/little.test.ts',
  'test/publish/*.test.ts',
  'test/read/explain/defects.test.ts',
  'test/read/hash.test.ts',
  'test/read/known.test.ts',
  'test/recorded/*.test.ts',
  'test/rulebook/cases.test.ts',
  'test/simulate/simulate.test.ts',
  'test/trust/sessions.test.ts',
]
