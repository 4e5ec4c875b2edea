// What a run found, as text, JSON and one HTML page: for its owner, and to be shared.

import type { Outcome, Result, Run } from './suite.js'

export interface Report {
  readonly format: 1
  readonly url: string
  readonly version: string
  /** When the run began, as ISO 8601 in UTC. */
  readonly at: string
  readonly allowed: readonly string[]
  readonly counts: Readonly<Record<Result, number>>
  readonly stopped: string | null
  readonly openOrders: readonly string[]
  readonly requests: Readonly<Record<string, number>>
  /** Seconds that the service let the run wait, by reason. */
  readonly waitedSeconds: Readonly<Record<string, number>>
  readonly outcomes: readonly Outcome[]
}

export interface ReportHead {
  readonly url: string
  readonly version: string
  readonly at: string
  readonly allowed: readonly string[]
}

export function reportOf(head: ReportHead, { outcomes, stopped, openOrders, sent }: Run): Report {
  return {
    format: 1,
    ...head,
    counts: countsOf(outcomes),
    stopped: stopped?.why ?? null,
    openOrders,
    requests: Object.fromEntries([...sent.requests].sort()),
    waitedSeconds: Object.fromEntries([...sent.waits].map(([reason, ms]) => [reason, Math.round(ms / 1000)])),
    outcomes,
  }
}

function countsOf(outcomes: readonly Outcome[]): Record<Result, number> {
  const count = (result: Result): number => outcomes.filter((outcome) => outcome.result === result).length
  return { kept: count('kept'), known: count('known'), broken: count('broken'), skipped: count('skipped') }
}

const WORDS: Readonly<Record<Result, string>> = {
  kept: 'kept',
  known: 'known',
  broken: 'BROKEN',
  skipped: 'skipped',
}

/** One outcome as text. */
export function lineOf({ id, says, result, why, sections }: Outcome): string {
  const details = [why, ...sections.map((section) => `see ${section}`)].filter(Boolean)
  return [`${WORDS[result].padEnd(8)}${id}: ${says}`, ...details.map((detail) => `          ${detail}`)].join(
    '\n',
  )
}

/** What comes after the outcomes. */
export function summaryOf({ counts, stopped, openOrders, requests, waitedSeconds }: Report): string {
  const sent = Object.values(requests).reduce((sum, count) => sum + count, 0)
  const waited = Object.entries(waitedSeconds).map(([reason, seconds]) => `${seconds} s for ${reason}`)
  return [
    `${counts.kept} keep the specification, ${counts.known} differ as live deployments are known to or where it is left open, ${counts.broken} break it, ${counts.skipped} skipped`,
    `${sent} requests${waited.length > 0 ? `; waited ${waited.join(', ')}` : ''}`,
    ...(stopped === null ? [] : [`Stopped: ${stopped}`]),
    ...openOrders.map((order) => `May be open: ${order}`),
  ].join('\n')
}

export function textOf(report: Report): string {
  const head = `Conformance of ${report.url}, ${report.at}, candlehouse ${report.version}`
  return `${[head, '', ...report.outcomes.map(lineOf), '', summaryOf(report)].join('\n')}\n`
}

const STYLE = `body{font:15px/1.45 system-ui,sans-serif;margin:2rem auto;max-width:62rem;padding:0 1rem;color:#1c2330}
table{border-collapse:collapse;width:100%}th,td{text-align:left;vertical-align:top;padding:.4rem .6rem;border-bottom:1px solid #dde3ea}
.broken td:first-child{color:#b3261e;font-weight:600}.known td:first-child{color:#8a5a00}.kept td:first-child{color:#1b6e3c}
.skipped{color:#5b6675}code{font-size:.92em}`

/** One page without scripts and without anything from elsewhere. */
export function htmlOf(report: Report): string {
  const title = `Conformance of ${report.url}`
  const rows = (['broken', 'known', 'kept', 'skipped'] as const).flatMap((result) =>
    report.outcomes.filter((outcome) => outcome.result === result).map(rowOf),
  )
  const summary = summaryOf(report).split('\n')
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(title)}</title>
<style>${STYLE}</style></head><body>
<h1>${escaped(title)}</h1>
<p>${escaped(`${report.at}, candlehouse ${report.version}; allowed: ${report.allowed.join(', ') || 'reads only'}`)}</p>
${summary.map((line) => `<p>${escaped(line)}</p>`).join('\n')}
<table><thead><tr><th>Result</th><th>Check</th><th>The specification</th><th>What was seen</th></tr></thead><tbody>
${rows.join('\n')}
</tbody></table>
</body></html>
`
}

function rowOf({ id, says, result, why, sections }: Outcome): string {
  const details = [why, ...sections.map((section) => `see ${section}`)].filter(Boolean).map(escaped)
  return `<tr class="${result}"><td>${WORDS[result]}</td><td><code>${escaped(id)}</code></td><td>${escaped(says)}</td><td>${details.join('<br>')}</td></tr>`
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
