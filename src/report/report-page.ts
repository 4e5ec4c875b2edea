import { packageVersion } from '../package.js'
import type { PaletteName } from '../settings/index.js'
import type { Draw } from './charts/draw.js'
import { date, instant, weekday } from './figures.js'
import { type Html, html, trusted } from './html.js'
import type { Report } from './model/report.js'
import { accountsSection } from './sections/accounts.js'
import { changesSection } from './sections/changes.js'
import { conclusionSection } from './sections/conclusion.js'
import { coverageSection } from './sections/coverage.js'
import { findingsSection } from './sections/findings.js'
import { marketSection } from './sections/market.js'
import { ownPageSection, ownPageSectionId } from './sections/own-pages.js'
import { runSection } from './sections/run.js'
import { styleSheet } from './style.js'

/** Nothing is loaded and nothing runs, whatever a name in the data tries. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"

const SECTIONS = [
  ['market', 'Market'],
  ['accounts', 'Accounts'],
  ['changes', 'What changed'],
  ['findings', 'Findings'],
  ['coverage', 'Coverage'],
  ['run', 'The run'],
] as const

/** Of the user's own, before what few people read. */
const OWN_PAGES_BEFORE = 'findings'

/** The report as one page: no script, no file beside it. */
export function pageOf(report: Report, palette: PaletteName, draw: Draw): string {
  const { day } = report
  const sections = SECTIONS.flatMap(([id, title]) => [
    ...(id === OWN_PAGES_BEFORE ? report.pages.map((page) => [ownPageSectionId(page), page.title]) : []),
    [id, title],
  ])
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="candlehouse ${packageVersion}">
<title>${date(day)}: ${titleOf(report.conclusion)}</title>
<style>${trusted(styleSheet(palette))}</style>
</head>
<body>
<header class="top">
<p class="brand">candlehouse nightly report</p>
<h1>${weekday(day)}, ${date(day)}</h1>
<p class="when">Written ${instant(report.writtenAt)}. All times are exchange time (UTC+7).</p>
</header>
<main>
${conclusionSection(report.conclusion, day)}
<nav aria-label="Sections"><ul>${sections.map(([id, title]) => html`<li><a href="#${id}">${title}</a></li>`)}</ul></nav>
${marketSection(report.market, report.withheld, day, draw)}
${accountsSection(report.accounts, draw)}
${changesSection(report.changes)}
${report.pages.map((page) => ownPageSection(page, draw))}
${findingsSection(report.findings, report.withheld)}
${coverageSection(report.coverage)}
${runSection(report.run, report.nights)}
</main>
${footer()}
</body>
</html>
`.text
}

function footer(): Html {
  return html`<footer>
<p>Numbers: 1${'\u202f'}234.5 is one thousand two hundred and thirty-four and a half. Money is VND: m is a million (triệu), bn a thousand million (tỷ), tn a million million (nghìn tỷ).</p>
<p>Signs: ▲ up, ▼ down, ⤒ at the ceiling, ⤓ at the floor, ■ unchanged. Everything here is in the catalog too: <code class="command">candlehouse sql</code>.</p>
<p>Written by candlehouse ${packageVersion} from one publication of the catalog, and the last runs in logs/.</p>
</footer>`
}

/** A failure has too many words for the title of a page. */
function titleOf(conclusion: Report['conclusion']): string {
  if (!conclusion) return 'no conclusion'
  const { state, headline } = conclusion
  return state === 'failed' || state === 'stopped' ? state : headline
}
