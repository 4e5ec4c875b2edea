import type { BrokenRule, Checks } from '../../run/report/summary.js'
import { count, renderTable } from './table.js'

/** Broken rules shown; the others are counted. */
const SHOWN = 12

/** The verdict of the rules: how many hold, which are broken with their worst offender, what readers do not see. */
export function renderChecks(checks: Checks): string[] {
  const { breaks, withheld } = checks
  const states = [
    `${count(checks.pass)} pass`,
    `${count(checks.soft)} soft`,
    `${count(checks.break)} break`,
    `${count(checks.notEvaluable)} not evaluable`,
  ]
  return [
    `Rules: ${states.join(', ')}`,
    ...(breaks.length > 0 ? [renderBreaks(breaks)] : []),
    ...(withheld.length > 0 ? [renderWithheld(withheld)] : []),
    ...(checks.couldBeListed.length > 0 ? [renderTrusted(checks.couldBeListed)] : []),
  ]
}

function renderTrusted(trusted: Checks['couldBeListed']): string {
  const lines = trusted.map(
    ({ rule, account, sessions, title }) => `  rule ${rule} for ${account}, ${sessions} sessions: ${title}`,
  )
  return ['Could be listed in data/reference/strict_rules.csv, since they have held', ...lines].join('\n')
}

function renderBreaks(breaks: readonly BrokenRule[]): string {
  const columns = [
    { title: 'rule', right: true },
    { title: 'severity' },
    { title: 'of' },
    { title: 'what should hold' },
    { title: 'rows', right: true },
    { title: 'worst row' },
    { title: 'expected' },
    { title: 'actual' },
  ]
  const rows = breaks
    .slice(0, SHOWN)
    .map((each) => [
      String(each.rule),
      each.accepted === null ? each.severity : 'accepted',
      `${each.subject} ${each.tradingDate}`,
      each.title,
      count(each.offenders),
      rowOf(each),
      each.expected ?? '',
      each.actual ?? '',
    ])
  const more = breaks.length - SHOWN
  const rest =
    more > 0 ? `\n  and ${count(more)} more: candlehouse sql "from recon.finding where state = 'break'"` : ''
  return `Broken, with the worst row of each\n${renderTable(columns, rows)}${rest}`
}

/** The key of the worst row without its names: what `candlehouse trace RELATION` takes. */
function rowOf({ key }: BrokenRule): string {
  return key === null ? '' : Object.values(JSON.parse(key) as Record<string, string>).join(' ')
}

/** What readers see as it was before, why, and since when. */
export function renderWithheld(withheld: Checks['withheld']): string {
  const lines = withheld.map(
    ({ relation, tradingDate, rule, title, offenders, since }) =>
      `  ${relation} ${tradingDate}: rule ${rule} (${title}), ${count(offenders)} rows, since ${since}`,
  )
  return ['Withheld: readers see these as they were before', ...lines].join('\n')
}
