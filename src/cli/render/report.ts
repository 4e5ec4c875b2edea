import { pathToFileURL } from 'node:url'
import type { WrittenReport } from '../../report/write.js'
import { renderConclusion } from './conclusion.js'

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
