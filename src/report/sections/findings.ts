import { keysWords, type Withheld } from '../../lake/withheld-rows.js'
import type { Finding } from '../../night/findings.js'
import { date, decimal, groupedNumbers, plural } from '../figures.js'
import { type Html, html } from '../html.js'
import { commandFor, type Findings } from '../model/findings.js'
import { columns, command, folded, nothing, section, table, tile, tiles } from './blocks.js'

const TITLE = 'Findings'

export function findingsSection({ ofDay, open }: Findings, withheld: readonly Withheld[]): Html {
  if (ofDay.length === 0 && open.length === 0)
    return section('findings', TITLE, false, nothing('No rule was checked for this day.'))
  const count = (state: Finding['state']): number => ofDay.filter((finding) => finding.state === state).length
  const listed = (state: Finding['state']): Finding[] => ofDay.filter((finding) => finding.state === state)
  return section(
    'findings',
    TITLE,
    'Every rule compares figures that should agree. A break of severity error keeps the rows that it names from readers until it is repaired or overridden.',
    html`${tiles(
      tile('Passed', decimal(count('pass'))),
      tile('Worth a look', decimal(count('soft'))),
      tile('Broken', decimal(open.filter(({ state }) => state === 'break').length)),
      tile('Not evaluable', decimal(count('not_evaluable'))),
    )}
${withheld.length > 0 ? withheldTable(withheld) : false}
${open.length === 0 ? nothing('Nothing is broken and nothing is worth a look.') : html`<div class="findings">${open.map(card)}</div>`}
${count('not_evaluable') > 0 ? folded(`${plural(count('not_evaluable'), 'check')} could not be evaluated, and why`, reasons(listed('not_evaluable'))) : false}
${count('pass') > 0 ? folded(`${plural(count('pass'), 'check')} passed`, passes(listed('pass'))) : false}`,
  )
}

function card(finding: Finding): Html {
  const { rule, title, subject, tradingDate, severity, state, offenders, checked } = finding
  const words = state === 'soft' ? 'worth a look' : `broken (${severity})`
  return html`<article class="finding ${state} ${severity}">
<h3><span class="badge">${words}</span> Rule ${rule}: ${title}</h3>
<p>${subject === 'market' ? 'Market' : `Account ${subject}`}, ${date(tradingDate)}: ${plural(offenders, 'row does', 'rows do')} not agree, of ${decimal(checked)}.${
    finding.expected === null
      ? false
      : html` The worst should be <b>${groupedNumbers(finding.expected)}</b> and is <b>${groupedNumbers(finding.actual ?? 'nothing')}</b>.`
  }</p>
<p>${command(commandFor(finding))}</p>
</article>`
}

function withheldTable(withheld: readonly Withheld[]): Html {
  return table(
    'Rows that readers see as they were before',
    columns('Relation', 'Session', 'Symbols', '#Rule', 'What should hold', '#Rows'),
    withheld.map((each) => [
      each.relation,
      date(each.tradingDate),
      keysWords(each.keys),
      each.rule,
      each.title,
      decimal(each.offenders),
    ]),
  )
}

function reasons(findings: readonly Finding[]): Html {
  return table(
    'Checks that could not be evaluated',
    columns('#Rule', 'What should hold', 'Subject', 'Why not'),
    findings.map(({ rule, title, subject, note }) => [rule, title, subject, note ?? '']),
  )
}

function passes(findings: readonly Finding[]): Html {
  return table(
    'Checks that passed',
    columns('#Rule', 'What holds', 'Subject', '#Rows'),
    findings.map(({ rule, title, subject, checked }) => [rule, title, subject, decimal(checked)]),
  )
}
