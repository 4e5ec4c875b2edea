import { pathToFileURL } from 'node:url'
import { shownInstant } from 'candlehouse-foundation/market/day'
import { adviceLine, type Conclusion, seriousReasons, shortHeadline } from '../../night/conclusion.js'
import type { WrittenReport } from '../../report/write.js'

/** Reasons that are printed; the others are counted. */
const SHOWN = 8

const MARKS = { complete: 'missing', trusted: 'not trusted' } as const

/** The conclusion in a few lines: which run, complete or what is missing, why, what to type. */
export function renderConclusion({ run, ...conclusion }: Conclusion): string {
  const ended = `${run.job} for ${run.tradingDate}, ended ${shownInstant(run.finishedAt)} with exit ${run.exitCode}`
  return [
    `${ended}: ${shortHeadline(conclusion)}`,
    ...renderReasons(conclusion),
    ...renderNext(conclusion),
  ].join('\n')
}

export function renderReasons(conclusion: Pick<Conclusion, 'reasons'>): string[] {
  const reasons = seriousReasons(conclusion)
  const more = reasons.length - SHOWN
  return [
    ...reasons
      .slice(0, SHOWN)
      .map(({ against, text }) => `  ${against === null ? 'note' : MARKS[against]}: ${text}`),
    ...(more > 0 ? [`  and ${more} more: candlehouse status --json`] : []),
  ]
}

/** What to type, the most urgent first. */
export function renderNext({ next }: Pick<Conclusion, 'next'>): string[] {
  return next.length === 0 ? [] : ['Next', ...next.map((advice) => `  ${adviceLine(advice)}`)]
}

/** The conclusion of the report's day, and where the page is, as text. */
export function renderReport(report: WrittenReport): string {
  const { conclusion } = report
  return [
    conclusion ? renderConclusion(conclusion) : `${report.tradingDate}: no run has left a conclusion`,
    howToOpen(report),
  ].join('\n\n')
}

/** The line that leads from a terminal to the page. */
export function howToOpen({ file, latest }: WrittenReport): string {
  return `Report: open ${pathToFileURL(latest ?? file).href} in a browser`
}
