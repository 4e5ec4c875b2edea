import type { Job } from '../src/run/jobs/job.js'

/**
 * Every hour, since an access token lives for hours and a refresh token for days (neither is in the specification):
 * after an hour off the session of a machine is still valid.
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
