import type { Expiring, FindingsStatus, Status } from '../../read/index.js'
import { renderWithheld } from './checks.js'
import { count } from './table.js'

/** What needs attention, and what to type: gaps that expire, withheld sessions, findings of the rules. */
export function renderWarnings({ expiring, withheld, findings }: Status): string[] {
  const [first] = withheld
  return [
    ...(expiring.length > 0 ? [expiring.map(renderExpiring).join('\n')] : []),
    ...(first
      ? [
          [
            renderWithheld(withheld),
            '  candlehouse repair    # fetch the affected data again',
            `  candlehouse publish --accept ${first.rule} --because "…"    # publish despite breaks of this rule`,
          ].join('\n'),
        ]
      : []),
    ...(findings ? [renderFindings(findings)] : []),
  ]
}

function renderExpiring({ windows, next }: Expiring): string {
  const { dataset, key, timeframe, day, inDays } = next
  const days = inDays === 1 ? '1 day' : `${inDays} days`
  const window = [dataset === 'ohlc' ? '' : dataset, key, timeframe, day].filter(Boolean).join(' ')
  const more = windows > 1 ? ' …' : ''
  return `expires in ${days}: ${count(windows)} ${windows === 1 ? 'window' : 'windows'} (${window}${more}): candlehouse repair`
}

/** Number of findings by state; breaks also by severity. */
function renderFindings({ tradingDate, counts }: FindingsStatus): string {
  const findings = (state: string, severity?: string): number =>
    counts
      .filter((count) => count.state === state && (severity === undefined || count.severity === severity))
      .reduce((sum, count) => sum + count.findings, 0)
  const [errors, warnings] = [findings('break', 'error'), findings('break', 'warn')]
  const states = [
    `${count(findings('pass'))} pass`,
    `${count(findings('soft'))} soft`,
    `${count(errors)} break (errors)`,
    `${count(warnings)} break (warnings)`,
    `${count(findings('not_evaluable'))} not evaluable`,
  ]
  const hint = errors + warnings > 0 ? `: candlehouse check --date ${tradingDate}, candlehouse repair` : ''
  return `rules on ${tradingDate}: ${states.join(', ')}${hint}`
}
