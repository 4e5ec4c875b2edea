import { counted } from 'candlehouse-foundation/number-text'
import type { StatedRule } from '../reference.js'
import { get, type Row, view } from './api.js'
import { ChoiceField } from './choice-field.js'
import { DataTable } from './data-table.js'
import { FindField } from './find-field.js'
import {
  byRule,
  type FindingView,
  findingAddress,
  findingViewOf,
  foundFindings,
  PAGE_FINDINGS,
  type RuleGroup,
  STATES,
} from './finding-list.js'
import { FindingState } from './finding-state.js'
import { useLoaded } from './loaded.js'
import { NoSuch } from './no-such.js'
import { NotLoaded } from './not-loaded.js'
import { Pager } from './pager.js'
import { shownValue } from './rows-table.js'
import { RuleCard } from './rule-card.js'
import { grouped } from './words.js'

export function FindingsPage({ words }: { words: readonly string[] }) {
  const shown = findingViewOf(words)
  const { value, error } = useLoaded(
    async () => await Promise.all([view('findings'), get<StatedRule[]>('/api/rules')]),
    [],
  )
  if (!value) return <NotLoaded title="Findings" error={error} />
  const [findings, rules] = value
  const rule =
    rules.find(({ number }) => String(number) === shown.rule) ?? ruleOfFinding(findings, shown.rule)
  const isOfNone = shown.rule !== 'all' && !rule
  return (
    <>
      <h1>Findings</h1>
      {rule && <RuleCard rule={rule} shown={shown} />}
      {isOfNone && <NoSuch what="rule" name={shown.rule} shown="the findings of all rules" />}
      <AllFindings
        findings={findings}
        // The words of an open rule name its symbol; the list below stays that of all rules.
        shown={rule ? { ...findingViewOf([]), state: shown.state } : { ...shown, rule: 'all' }}
      />
    </>
  )
}

/** A rule of the user's own whose file cannot be read any more, as its findings name it. */
function ruleOfFinding(findings: readonly Row[], number: string): StatedRule | undefined {
  const finding = findings.find(({ rule }) => String(rule) === number)
  if (!finding) return undefined
  return {
    number: Number(number),
    title: String(finding.title),
    severity: finding.severity === 'error' ? 'error' : 'warn',
    about: finding.subject === 'market' ? 'market' : 'accounts',
    needs: 'a file that works: candlehouse mine check says what is wrong',
    why: '',
    tolerance: 'none',
  }
}

function AllFindings({ findings, shown }: { findings: readonly Row[]; shown: FindingView }) {
  const found = foundFindings(findings, shown)
  const groups = byRule(found)
  const show = (change: Partial<FindingView>): string => findingAddress({ ...shown, page: 1, ...change })
  return (
    <>
      <div class="toolbar">
        <ChoiceField
          label="state"
          value={shown.state}
          choices={STATES}
          onChoice={(state) => {
            location.hash = show({ state })
          }}
        />
        <FindField value={shown.find} addressOf={(find) => show({ find })} />
        <p class="quiet" role="status">
          {counted(found.length, 'finding')} of {grouped(findings.length)}, of{' '}
          {counted(groups.length, 'rule')}
        </p>
      </div>
      <RuleGroups groups={groups} isEmpty={findings.length === 0} />
      {found.length > 0 && <FindingRows found={found} shown={shown} />}
    </>
  )
}

function RuleGroups({ groups, isEmpty }: { groups: readonly RuleGroup[]; isEmpty: boolean }) {
  const count = (state: string) => ({
    title: state.replace('_', ' '),
    isNumber: true,
    cell: ({ counts }: RuleGroup) => grouped(counts[state] ?? 0),
  })
  return (
    <section class="card">
      <DataTable
        caption="By rule: the worst first, then the newest"
        rows={groups}
        empty={isEmpty ? 'No rule was run yet.' : 'No finding is within the filters.'}
        columns={[
          { title: 'worst state', cell: ({ state }: RuleGroup) => <FindingState state={state} /> },
          {
            title: 'rule',
            cell: ({ rule, title }) => <a href={`#/findings/${rule}`}>{`${rule} ${title}`}</a>,
          },
          { title: 'severity', cell: ({ severity }) => severity },
          { title: 'newest', cell: ({ lastDate }) => lastDate },
          ...STATES.map(count),
          { title: 'offenders', isNumber: true, cell: ({ offenders }) => grouped(offenders) },
        ]}
      />
    </section>
  )
}

function FindingRows({ found, shown }: { found: readonly Row[]; shown: FindingView }) {
  const pages = Math.ceil(found.length / PAGE_FINDINGS)
  const page = Math.min(shown.page, pages)
  return (
    <section class="card">
      <DataTable
        caption="What is broken or worth a look in the last 20 sessions, then the latest finding of every rule and subject"
        rows={found.slice((page - 1) * PAGE_FINDINGS, page * PAGE_FINDINGS)}
        columns={[
          { title: 'state', cell: (row) => <FindingState state={row.state} /> },
          {
            title: 'rule',
            cell: (row) => <a href={`#/findings/${row.rule}`}>{`${row.rule} ${row.title}`}</a>,
          },
          { title: 'subject', cell: (row) => String(row.subject) },
          { title: 'session', cell: (row) => String(row.trading_date) },
          { title: 'severity', cell: (row) => String(row.severity) },
          { title: 'offenders', isNumber: true, cell: (row) => shownValue(row.offenders) },
          { title: 'note', cell: (row) => String(row.accepted ?? row.note ?? '') },
        ]}
      />
      <Pager page={page} pages={pages} addressOf={(to) => findingAddress({ ...shown, page: to })} />
    </section>
  )
}
