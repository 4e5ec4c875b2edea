import type { Job } from '../src/run/jobs/job.js'

/** On Saturdays, when no session needs the quota: the one year that the service serves, starting with what expires first. */
export const backfill = {
  name: 'backfill',
  about: 'Fill the one year of history that the service serves, starting with what expires first',
  schedule: '0 8 * * 6',
  zone: 'Asia/Ho_Chi_Minh',
  steps: ['lists', 'daily', 'candles', 'publish'],
  timeframes: ['1m'],
  window: { count: 1, of: 'years' },
} as const satisfies Job
