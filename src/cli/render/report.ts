import { pathToFileURL } from 'node:url'
import type { WrittenReport } from '../../report/write.js'

/** What the report concludes, what to type, and where it is, as text. */
export function renderReport(report: WrittenReport): string {
  const { headline, complete, trusted, since, next } = report.conclusion
  return [
    `${report.tradingDate}: ${headline}`,
    `  complete: ${complete.holds ? 'yes' : 'no'}. ${complete.words}`,
    `  trusted: ${trusted.holds ? 'yes' : 'no'}. ${trusted.words}`,
    ...(since === null ? [] : [`  since then: ${since}`]),
    ...(next.length > 0 ? ['', 'Next', ...next.map(({ command, why }) => `  ${command}    # ${why}`)] : []),
    '',
    howToOpen(report),
  ].join('\n')
}

/** The line that leads from a terminal to the page. */
export function howToOpen({ file, latest }: WrittenReport): string {
  return `Report: open ${pathToFileURL(latest ?? file).href} in a browser`
}
