import { keysWords, type Withheld } from '../../lake/withheld-rows.js'
import type { Finding } from '../../night/findings.js'
import { date, decimal, groupedNumbers, keyValues, plural } from '../figures.js'
import { type Html, html } from '../html.js'
import { commandForAll, type Findings } from '../model/findings.js'
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
${open.length === 0 ? nothing('Nothing is broken and nothing is worth a look.') : html`<div class="findings">${groupedByRule(open).map(card)}</div>`}
${count('not_evaluable') > 0 ? folded(`${plural(count('not_evaluable'), 'check')} could not be evaluated, and why`, reasons(listed('not_evaluable'))) : false}
${count('pass') > 0 ? folded(`${plural(count('pass'), 'check')} passed`, passes(listed('pass'))) : false}`,
  )
}

/** Findings of one rule and state: one trouble, whatever number of sessions and accounts it is found in. */
function groupedByRule(findings: readonly Finding[]): (readonly [Finding, ...Finding[]])[] {
  const groups = new Map<string, [Finding, ...Finding[]]>()
  for (const finding of findings) {
    const name = `${finding.rule} ${finding.state}`
    const group = groups.get(name)
    if (group) group.push(finding)
    else groups.set(name, [finding])
  }
  return [...groups.values()]
}

/** Sessions and accounts of a rule that are listed; the others are counted. */
const SHOWN = 5

function card(group: readonly [Finding, ...Finding[]]): Html {
  const [{ rule, title, severity, state }] = group
  const words = state === 'soft' ? 'worth a look' : `broken (${severity})`
  const more = group.length - SHOWN
  return html`<article class="finding ${state} ${severity}">
<h3><span class="badge">${words}</span> Rule ${rule}: ${title}</h3>
${group.slice(0, SHOWN).map(findingWords)}${more > 0 ? html`<p>and ${plural(more, 'more result')} of this rule</p>` : false}
<p>${command(commandForAll(group))}</p>
</article>`
}

function findingWords({ subject, tradingDate, offenders, checked, key, expected, actual }: Finding): Html {
  const name = key === null ? false : html` (${keyValues(key)})`
  return html`<p>${subject === 'market' ? 'Market' : `Account ${subject}`}, ${date(tradingDate)}: ${plural(offenders, 'row does', 'rows do')} not agree, of ${decimal(checked)}.${
    expected === null
      ? false
      : html` The worst${name} should be <b>${groupedNumbers(expected)}</b> and is <b>${groupedNumbers(actual ?? 'nothing')}</b>.`
  }</p>`
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
