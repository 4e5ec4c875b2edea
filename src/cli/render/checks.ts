import { shownInstant } from 'candlehouse-foundation/market/day'
import { type BrokenRule, type Checks, withheldWords } from '../../night/summary.js'
import { columnsOf, count, renderTable } from './table.js'

/** Broken rules shown; the others are counted. */
const SHOWN = 12

/** The results of the rules: how many pass, which break and their worst row, which rows are withheld. */
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
    ...(checks.couldBeListed.length > 0 ? [renderCandidates(checks.couldBeListed)] : []),
  ]
}

function renderCandidates(candidates: Checks['couldBeListed']): string {
  const lines = candidates.map(
    ({ rule, account, sessions, title }) => `  rule ${rule} for ${account}, ${sessions} sessions: ${title}`,
  )
  return ['Passed in every session so far: could be added to data/reference/strict_rules.csv', ...lines].join(
    '\n',
  )
}

function renderBreaks(breaks: readonly BrokenRule[]): string {
  const facts = ['severity', 'subject', 'rule says', '#rows', 'worst row', 'expected', 'actual']
  const rows = breaks
    .slice(0, SHOWN)
    .map((broken) => [
      String(broken.rule),
      broken.accepted === null ? broken.severity : 'overridden',
      `${broken.subject} ${broken.tradingDate}`,
      broken.title,
      count(broken.offenders),
      worstRow(broken),
      broken.expected ?? '',
      broken.actual ?? '',
    ])
  const more = breaks.length - SHOWN
  const rest =
    more > 0 ? `\n  and ${count(more)} more: candlehouse sql "from recon.finding where state = 'break'"` : ''
  return `Broken rules and the worst row of each\n${renderTable(columnsOf('#rule', ...facts), rows)}${rest}`
}

/** The key values of the worst row, in the form that `candlehouse trace RELATION` takes. */
function worstRow({ key }: BrokenRule): string {
  return key === null ? '' : Object.values(JSON.parse(key) as Record<string, string>).join(' ')
}

/** The rows that readers see as published before, with the rule and the time. */
export function renderWithheld(withheld: Checks['withheld']): string {
  const lines = withheld.map(
    (each) =>
      `  ${withheldWords(each)} (rule ${each.rule}: ${each.title}), ${count(each.offenders)} rows, since ${shownInstant(each.since)}`,
  )
  return ['Withheld: readers see the last published version of these', ...lines].join('\n')
}
