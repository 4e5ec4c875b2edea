export type { OverrideRequest } from '../../audit/index.js'

import { UsageError } from 'candlehouse-foundation/errors'
import { type OverrideRequest, overrideBreaks } from '../../audit/index.js'
import type { Database } from '../../duckdb/open.js'
import type { RunIo } from '../lifecycle/run-io.js'

/** Overrides what a run finds broken of a rule. A rule without open findings does not fail the run. */
export async function overrideIfBroken(
  warehouse: Database,
  home: string,
  request: OverrideRequest,
  io: RunIo,
): Promise<void> {
  const overridden = await overrideBreaks(warehouse, home, request, io.effects)
  if (overridden.length === 0)
    io.effects.log.warn(`rule ${request.rule} has no open finding: there was nothing to override`)
}

/** Overrides the open findings of a rule. @throws UsageError where there are none */
export async function overrideOpenFindings(
  warehouse: Database,
  home: string,
  request: OverrideRequest,
  io: RunIo,
): Promise<void> {
  const overridden = await overrideBreaks(warehouse, home, request, io.effects)
  // The same command again, after a kill came between overriding and publishing.
  const [before] = await warehouse.rows(
    `SELECT 1 FROM recon.finding WHERE rule = ? AND state = 'break' AND accepted IS NOT NULL LIMIT 1`,
    [request.rule],
  )
  if (overridden.length > 0 || before) return
  throw new UsageError(`rule ${request.rule} has no open finding: there is nothing to override`, {
    hint: 'candlehouse status    # names the rules that are broken',
  })
}
