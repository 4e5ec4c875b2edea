import { extname, resolve } from 'node:path'
import { readDay } from 'candlehouse-foundation/command-line/argument'
import { UsageError } from 'candlehouse-foundation/errors'
import type { Day } from 'candlehouse-foundation/market/day'
import type { Command } from 'commander'
import { renderReport } from '../render/conclusion.js'
import type { NewVerb } from '../verb.js'

export function reportVerb(verb: NewVerb): Command {
  return verb('report', 'Write the nightly report: one HTML page that shows whether the night is good')
    .option('--date <day>', 'trading date of the report (default: that of the last run)', readDay)
    .option(
      '--out <file>',
      'HTML file to write (default: reports/DATE.html and reports/latest.html of the home)',
    )
    .reads(async (call, options: { date?: Day; out?: string }) => {
      const out = options.out === undefined ? undefined : htmlFile(resolve(call.folder, options.out))
      const { writeReport } = await import('../../report/write.js')
      const report = await writeReport(call.settings, { day: options.date, out }, call.effects)
      await call.answer(report, () => renderReport(report))
    })
}

function htmlFile(file: string): string {
  if (/^\.html?$/i.test(extname(file))) return file
  throw new UsageError(`--out ${file} does not end with .html`, {
    hint: 'the report is an HTML page: --out report.html',
  })
}
