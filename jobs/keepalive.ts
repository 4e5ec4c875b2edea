import type { Job } from '../src/run/jobs/job.js'

/**
 * Every hour, since an access token lives for hours and a refresh token for days (neither is in the specification):
 * a machine that was off for an hour still finds its session alive.
 */
export const keepalive = {
  name: 'keepalive',
  about: 'Refresh the stored session before it expires',
  schedule: '20 * * * 0-6',
  zone: 'Asia/Ho_Chi_Minh',
  steps: ['session'],
  timeframes: [],
  window: null,
} as const satisfies Job
