import type { Expiring, FindingsStatus, Status } from '../../read/index.js'
import { renderWithheld } from './checks.js'
import { count } from './table.js'

/** What somebody should look at, and what to type: gaps that expire, what is withheld, what the rules found. */
export function renderWarnings({ expiring, withheld, findings }: Status): string[] {
  const [first] = withheld
  return [
    ...(expiring.length > 0 ? [expiring.map(renderExpiring).join('\n')] : []),
    ...(first
      ? [
          [
            renderWithheld(withheld),
            '  candlehouse repair    # asks again what may have been faulty',
            `  candlehouse publish --accept ${first.rule} --because "…"    # publishes it as it is`,
          ].join('\n'),
        ]
      : []),
    ...(findings ? [renderFindings(findings)] : []),
  ]
}

function renderExpiring({ windows, next }: Expiring): string {
  const { dataset, key, timeframe, day, inDays } = next
  const days = inDays === 1 ? '1 day' : `${inDays} days`
  const about = [dataset === 'ohlc' ? '' : dataset, key, timeframe, day].filter(Boolean).join(' ')
  const more = windows > 1 ? ' …' : ''
  return `expires in ${days}: ${count(windows)} ${windows === 1 ? 'window' : 'windows'} (${about}${more}): candlehouse repair`
}

/** Breaks by severity; the other states whatever their severity. */
function renderFindings({ tradingDate, counts }: FindingsStatus): string {
  const of = (state: string, severity?: string): number =>
    counts
      .filter((each) => each.state === state && (severity === undefined || each.severity === severity))
      .reduce((sum, each) => sum + each.findings, 0)
  const [errors, warnings] = [of('break', 'error'), of('break', 'warn')]
  const states = [
    `${count(of('pass'))} pass`,
    `${count(of('soft'))} soft`,
    `${count(errors)} break as errors`,
    `${count(warnings)} break as warnings`,
    `${count(of('not_evaluable'))} not evaluable`,
  ]
  const look = errors + warnings > 0 ? `: candlehouse check --date ${tradingDate}, candlehouse repair` : ''
  return `rules on ${tradingDate}: ${states.join(', ')}${look}`
}
