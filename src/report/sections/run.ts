import { bytes, date, decimal, duration, instant, period, plural } from '../figures.js'
import { type Html, html } from '../html.js'
import type { Night, RunFigures } from '../model/run.js'
import { columns, folded, nothing, section, table, tile, tiles } from './blocks.js'

const TITLE = 'The run'

export function runSection(run: RunFigures | null, nights: readonly Night[]): Html {
  if (!run) return section('run', TITLE, false, nothing('No run of this day is in the ledger.'))
  const rate = run.seconds > 0 ? run.requests / run.seconds : null
  return section(
    'run',
    TITLE,
    html`${run.job} of ${period(run.startedAt, run.finishedAt)}: exit ${run.exitCode}. <small>${run.runId}</small>`,
    html`${tiles(
      tile('Requests', decimal(run.requests), run.bytes === null ? false : `${bytes(run.bytes)} received`),
      tile('Records', decimal(run.rows), plural(run.changed, 'row changed', 'rows changed')),
      tile('Time', duration(run.seconds), 'login to publication'),
      tile('Rate', decimal(rate, 1), 'requests per second'),
    )}
${datasetTable(run)}
${run.notes.length > 0 ? html`<h3>Notes of the run</h3><ul>${run.notes.map((note) => html`<li>${note}</li>`)}</ul>` : false}
${run.missing && run.missing.length > 0 ? missingList(run.missing) : false}
${nights.length > 1 ? folded(`The last ${nights.length} nights`, nightTable(nights)) : false}`,
  )
}

function datasetTable({ datasets }: RunFigures): Html {
  return table(
    'What was requested and loaded, by dataset',
    columns('Dataset', '#Windows', '#Requests', '#Records', '#Changed', '#Rejected'),
    datasets.map(({ dataset, windows, requests, rows, changed, rejected }) => [
      dataset,
      ...[windows, requests, rows, changed, rejected].map((value) => decimal(value)),
    ]),
  )
}

const SHOWN = 30

function missingList(missing: readonly string[]): Html {
  const more = missing.length - SHOWN
  return html`<h3>Missing</h3><ul>${missing.slice(0, SHOWN).map((line) => html`<li>${line}</li>`)}${
    more > 0 ? html`<li>and ${decimal(more)} more</li>` : false
  }</ul>`
}

function nightTable(nights: readonly Night[]): Html {
  return table(
    'Recent nights, the newest first',
    columns('Trading date', 'Ended', '#Exit', '#Time', '#Requests', '#Records', '#Changed', '#Rejected'),
    nights.map((night) => [
      date(night.day),
      instant(night.finishedAt),
      night.exitCode,
      duration(night.seconds),
      ...[night.requests, night.rows, night.changed, night.rejected].map((value) => decimal(value)),
    ]),
  )
}
