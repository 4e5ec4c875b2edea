import type { Command } from 'commander'
import { backfill } from '../../../jobs/backfill.js'
import { nightly } from '../../../jobs/nightly.js'
import type { Effects } from '../../effects.js'
import { readStatus } from '../../read/index.js'
import { jobStatus } from '../../schedule/next.js'
import { renderStatus } from '../render/status.js'
import { type CommonOptions, type Edge, settle, verb } from '../verb.js'

export function statusVerb(edge: Edge, effects: Effects): Command {
  return verb('status', 'coverage, freshness, gaps, what expires next, last run, next run').action(
    async (options: CommonOptions) => {
      const call = settle(options, edge, effects)
      const status = await readStatus(call.settings.home, call.effects)
      const nextRuns = [nightly, backfill].map((job) => jobStatus(job, call.effects.now()))
      await call.answer({ ...status, nextRuns }, () => renderStatus(status, nextRuns))
    },
  )
}
