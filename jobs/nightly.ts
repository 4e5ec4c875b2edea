import type { Job } from '../src/run/jobs/job.js'

/**
 * After the exchanges have closed (15:00) and the service has settled its daily figures. Five sessions, since
 * corrections arrive within days, and one run catches up on a week without runs.
 */
export const nightly = {
  name: 'nightly',
  about:
    'Fetch the last sessions, fetch again what may have been restated, snapshot accounts, check, publish',
  schedule: '30 18 * * 1-5',
  zone: 'Asia/Ho_Chi_Minh',
  steps: ['lists', 'daily', 'candles', 'accounts', 'publish'],
  timeframes: ['1m'],
  crossChecks: 3,
  window: { count: 5, of: 'sessions' },
} as const satisfies Job
