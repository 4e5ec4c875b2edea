import type { Database } from '../duckdb/open.js'
import { sqlFile } from '../duckdb/sqlfile.js'
import type { Effects } from '../effects.js'
import { markMonths } from '../warehouse/dirty.js'
import { appendOverrides, type Override, readOverrides } from './overrides.js'
import { storeOverrides } from './record.js'

/** What a person overrules. */
export interface OverrideRequest {
  readonly rule: number
  readonly because: string
}

/**
 * Accepts the standing breaks of a rule, with the offenders they have now. What was accepted is written beside the raw
 * pages first: it survives everything that `raw/` survives.
 *
 * @returns what was accepted; nothing where no break of the rule stands
 */
export async function overrideBreaks(
  database: Database,
  home: string,
  { rule, because }: OverrideRequest,
  effects: Effects,
): Promise<Override[]> {
  await database.run(sqlFile('recon/offenders_seen.sql'))
  const breaks = await database.rows<Pick<Override, 'subject' | 'trading_date' | 'offenders'>>(
    `SELECT subject, CAST(trading_date AS VARCHAR) AS trading_date,
       offenders_seen(offender.state, relation, key, offender.expected, offender.actual) AS offenders
     FROM recon.finding finding JOIN recon.offender offender USING (rule, subject, trading_date)
     WHERE finding.rule = ? AND finding.state = 'break' AND accepted IS NULL AND offender.state = 'break'
     GROUP BY subject, trading_date ORDER BY ALL`,
    [rule],
  )
  const accepted_at = new Date(effects.now()).toISOString()
  const accepted = breaks.map((each) => ({ ...each, rule, because, accepted_at }))
  if (accepted.length === 0) return []
  await appendOverrides(home, accepted)
  await database.transaction(async () => {
    await storeOverrides(database, readOverrides(home))
    await database.run(sqlFile('recon/accepted.sql'), [JSON.stringify(accepted)])
    await database.run(sqlFile('recon/accept.sql'))
    await markMonths(database, 'recon.finding', 'newly_accepted')
  })
  return accepted
}
