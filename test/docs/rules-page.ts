import { type Measurement, type Rule, readRules } from '../../src/audit/rule.js'

const HEAD = `# The rules of the audit

What each rule of [sql/rules](../sql/rules) checks, how far a figure may be off, and how often the rule held on real data:
written by \`make docs\` from the heads of the files. What breaks a rule of severity \`error\` is withheld from publication, except on
boards where it only warns. How to read findings and how to override one: [operating](operating.md#rules-and-overrides).

A rate belongs to its sample: to these rows, this board and these days. Where nobody has measured a board, its line says so.
`

/** `docs/rules.md`: every rule with its severity, tolerance and evidence. */
export function rulesPage(): string {
  return [HEAD, ...readRules().map(section)].join('\n')
}

function section({ number, title, severity, warnsOn, needs, tolerance, evidence }: Rule): string {
  const onBoards = warnsOn.length > 0 ? `; it warns on ${warnsOn.join(', ')}` : ''
  const lines = [
    `## Rule ${number}`,
    '',
    `${title}.`,
    '',
    `- Severity: \`${severity}\`${onBoards}.`,
    `- It needs ${needs}; else it is not evaluated.`,
    `- Tolerance: ${tolerance}.`,
    '',
    ...measuredLines(evidence),
  ]
  return `${lines.join('\n')}\n`
}

function measuredLines(evidence: readonly Measurement[]): string[] {
  if (evidence.every(({ pass }) => pass === null)) return ['Nobody has measured it on real data.']
  return [
    '| held | sample | board | days | source |',
    '| --- | --- | --- | --- | --- |',
    ...evidence.map(({ pass, sample, board, period, source }) => {
      if (pass === null || source === null) return `| not measured | | ${board} | | |`
      const link = source.slice('docs/'.length)
      return `| ${pass} % | ${sample} | ${board} | ${period ?? 'not recorded'} | [${link}](${link}) |`
    }),
  ]
}
