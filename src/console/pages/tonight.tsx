import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { type Conclusion, SIGNS, seriousReasons, shortHeadline } from '../../night/conclusion.js'
import type { RunSummary } from '../../night/summary.js'
import { type Margin, marginWarning } from '../../read/margin-warning.js'
import type { Tonight } from '../tonight.js'
import { MarginWarnings } from './accounts/margins.js'
import { get } from './api.js'
import { Command, Failure } from './command.js'
import { DataTable } from './data-table.js'
import { useLoaded } from './loaded.js'
import { NewsCard } from './news-card.js'
import { NotLoaded } from './not-loaded.js'
import { duration, exchangeTime, grouped } from './words.js'

const RUNNING_MS = 1_000
const IDLE_MS = 10_000

/** Asks again, often while a run is under way. */
function useTonight() {
  const [turn, setTurn] = useState(0)
  const loaded = useLoaded(() => get<Tonight>('/api/tonight'), [turn])
  const isRunning = loaded.value?.progress !== null
  useEffect(() => {
    const timer = setTimeout(() => setTurn(turn + 1), isRunning && !loaded.error ? RUNNING_MS : IDLE_MS)
    return () => clearTimeout(timer)
  }, [turn, loaded])
  return loaded
}

export function TonightPage() {
  const { value, error } = useTonight()
  if (!value) return <NotLoaded title="Tonight" error={error} />
  const run = value.runs.nightly ?? value.runs.later
  return (
    <>
      <ConclusionCard tonight={value} />
      {error && <Failure error={error} />}
      <Margins tonight={value} />
      {value.progress && <Phases progress={value.progress} now={value.now} />}
      {isGood(value) && <NewsCard publication={value.status.publication?.id} />}
      <div class="night">
        {run && <LastRunCard run={run} />}
        <Missing tonight={value} />
      </div>
      <Coverage tonight={value} />
    </>
  )
}

/** Only where an account is at or near a level: otherwise there is nothing to know. */
function Margins({ tonight: { margins } }: { tonight: Tonight }) {
  if (!margins.some((row) => marginWarning(row as unknown as Margin))) return null
  return (
    <section class="card" aria-labelledby="margins">
      <h2 id="margins">Margin</h2>
      <MarginWarnings rows={margins} />
    </section>
  )
}

/** Nothing is open: what the night brought is what there is to see. */
function isGood({ progress, status, runs }: Tonight): boolean {
  return progress === null && status.conclusion?.state === 'good' && runs.nightly !== null
}

const MARKS = { ...SIGNS, running: '…', none: '·' }

/** What the page says at first: that a run is under way, or the conclusion of the last one. */
function ConclusionCard({ tonight }: { tonight: Tonight }) {
  const { progress, status } = tonight
  if (progress) {
    const title = `A ${progress.job} is running for ${progress.tradingDate}`
    return <Card level="running" title={title} tonight={tonight} />
  }
  const { conclusion } = status
  if (!conclusion) {
    return (
      <Card level="none" title="No run has ended yet" tonight={tonight}>
        <Command text="candlehouse plan" />
        <Command text="candlehouse nightly" />
      </Card>
    )
  }
  return (
    <Card level={conclusion.state} title={titleOf(conclusion)} tonight={tonight} conclusion={conclusion} />
  )
}

function titleOf(conclusion: Conclusion): string {
  const { run } = conclusion
  return `The ${run.job} for ${run.tradingDate}: ${shortHeadline(conclusion)}`
}

interface CardProps {
  level: keyof typeof MARKS
  title: string
  tonight: Tonight
  conclusion?: Conclusion
  children?: ComponentChildren
}

function Card({ level, title, tonight, conclusion, children }: CardProps) {
  const { publication } = tonight.status
  const reasons = conclusion ? seriousReasons(conclusion) : []
  return (
    <section class={`card verdict ${level}`} aria-labelledby="conclusion">
      <span class="mark" aria-hidden="true">
        {MARKS[level]}
      </span>
      <div>
        <h1 id="conclusion">{title}</h1>
        {reasons.length > 0 && (
          <ul>
            {reasons.map(({ kind, text }) => (
              <li key={kind + text}>{text}</li>
            ))}
          </ul>
        )}
        <p class="quiet">
          {conclusion &&
            `Ended ${exchangeTime(conclusion.run.finishedAt)}, exit ${conclusion.run.exitCode}. `}
          {publication
            ? `Readers see publication ${publication.id} of ${exchangeTime(publication.publishedAt)}, exchange time.`
            : 'Nothing is published yet.'}
        </p>
        {conclusion?.next.map(({ command, why }) =>
          command === null ? (
            <p key={why} class="quiet">
              {why}
            </p>
          ) : (
            <div key={command}>
              <Command text={command} />
              <p class="quiet">{why}</p>
            </div>
          ),
        )}
        {children}
      </div>
    </section>
  )
}

function Phases({ progress, now }: { progress: NonNullable<Tonight['progress']>; now: string }) {
  return (
    <section class="card" aria-labelledby="phases">
      <h2 id="phases">Stages</h2>
      <ol class="phases">
        {progress.phases.map((phase) => {
          const end = phase.finishedAt ?? now
          const label =
            phase.total === null
              ? phase.note
              : `${grouped(phase.done)} of ${grouped(phase.total)} ${phase.unit}`
          const took = duration(Math.max(0, Date.parse(end) - Date.parse(phase.startedAt)))
          return (
            <li key={phase.startedAt + phase.name} class={phase.finishedAt ? 'done' : 'active'}>
              <span class="name">{phase.name}</span>
              {phase.total === null || phase.total === 0 ? (
                <span />
              ) : (
                <progress max={phase.total} value={phase.done} aria-label={`${phase.name}: ${label}`} />
              )}
              <span class="quiet">
                {label} · {took}
              </span>
            </li>
          )
        })}
      </ol>
    </section>
  )
}

function LastRunCard({ run }: { run: RunSummary }) {
  const count = (name: 'windows' | 'requests' | 'rows' | 'changed' | 'rejected') => ({
    title: name,
    isNumber: true,
    cell: (row: RunSummary['datasets'][number]) => grouped(row[name]),
  })
  return (
    <section class="card" aria-labelledby="last-run">
      <h2 id="last-run">{run.job === 'nightly' ? 'The last night' : 'The last run'}</h2>
      {run.checks && (
        <p>
          <a href="#/findings">Rules</a>: {grouped(run.checks.pass)} pass, {grouped(run.checks.soft)} soft,{' '}
          {grouped(run.checks.break)} break, {grouped(run.checks.notEvaluable)} not evaluable.
        </p>
      )}
      <DataTable
        caption="What the last run did per dataset"
        hideCaption
        columns={[
          { title: 'dataset', cell: (row) => row.dataset },
          count('windows'),
          count('requests'),
          count('rows'),
          count('changed'),
          count('rejected'),
          { title: 'missing', isNumber: true, cell: (row) => grouped(row.missing.length) },
        ]}
        rows={run.datasets}
        empty="It requested nothing."
      />
      {run.notes.map((note) => (
        <p key={note} class="quiet">
          {note}
        </p>
      ))}
    </section>
  )
}

function Missing({ tonight: { status } }: { tonight: Tonight }) {
  return (
    <section class="card" aria-labelledby="missing">
      <h2 id="missing">What is missing</h2>
      <DataTable
        caption={`Incomplete windows: ${grouped(status.gapCount)}`}
        columns={[
          { title: 'dataset', cell: (row) => row.dataset },
          { title: 'key', cell: (row) => row.key },
          { title: 'timeframe', cell: (row) => row.timeframe },
          { title: 'from', cell: (row) => row.day },
          { title: 'reason', cell: (row) => <span class="anywhere">{row.reason}</span> },
        ]}
        isBlocks
        rows={status.gaps}
        empty={status.publication ? 'No window is incomplete.' : 'Nothing was requested yet.'}
      />
    </section>
  )
}

function Coverage({ tonight: { status } }: { tonight: Tonight }) {
  const count = (name: 'keys' | 'complete' | 'empty' | 'incomplete' | 'refused') => ({
    title: name,
    isNumber: true,
    cell: (row: Tonight['status']['datasets'][number]) => grouped(row[name]),
  })
  return (
    <section class="card" aria-labelledby="coverage">
      <h2 id="coverage">What is stored</h2>
      <DataTable
        caption="Windows per dataset and timeframe"
        hideCaption
        columns={[
          { title: 'dataset', cell: (row) => row.dataset },
          { title: 'timeframe', cell: (row) => row.timeframe },
          { title: 'from', cell: (row) => row.from },
          { title: 'to', cell: (row) => row.to },
          count('keys'),
          count('complete'),
          count('empty'),
          count('incomplete'),
          count('refused'),
          { title: 'next expiry', cell: (row) => row.nextExpiry ?? '' },
        ]}
        rows={status.datasets}
        empty="Nothing is published yet."
      />
    </section>
  )
}
