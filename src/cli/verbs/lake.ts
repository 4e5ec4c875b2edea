import { join } from 'node:path'
import { Command } from 'commander'
import type { Effects } from '../../effects.js'
import { type Verdict, verifyLake } from '../../read/index.js'
import { runSweep } from '../../run/verbs/sweep.js'
import { count } from '../render/table.js'
import { type CommonOptions, type Edge, retainOption, settle, verb } from '../verb.js'

/** Exit code of a lake that is not as its manifest says: storage. */
const DAMAGED = 6

export function lakeVerb(edge: Edge, effects: Effects): Command {
  const verify = verb('verify', 'check a lake, or a copy of one, against its manifest')
    .argument('[path]', 'folder of the lake (default: the lake of the home)')
    .action(async (path: string | undefined, options: CommonOptions) => {
      const call = settle(options, edge, effects)
      call.progress.phase('verify')
      const verdict = await verifyLake(path ?? join(call.settings.home, 'lake'), {
        onTable: (name) => call.progress.advance(1, name),
        signal: call.signal,
      })
      call.progress.done()
      await call.answer(verdict, () => renderVerdict(verdict))
      if (verdict.findings.length > 0) process.exitCode = DAMAGED
    })
  const sweep = verb(
    'sweep',
    'remove replaced files and log entries whose time is up, and what killed writers left',
  )
    .addOption(retainOption())
    .action(async (options: CommonOptions) => {
      const call = settle(options, edge, effects)
      const swept = await runSweep(call.settings, call)
      const kept = `${call.settings.retainDays} days of replaced files are kept`
      await call.answer(
        swept,
        () => `${count(swept.files)} files and ${count(swept.logFiles)} log entries removed; ${kept}`,
      )
    })
  return new Command('lake')
    .description('look after the Parquet files and their Delta logs')
    .addCommand(verify)
    .addCommand(sweep)
}

function renderVerdict({ lake, publication, publishedAt, tables, files, bytes, findings }: Verdict): string {
  const size = `${(bytes / 1e6).toFixed(1)} MB`
  const head = `${lake}\npublication ${publication} of ${publishedAt}: ${tables} tables, ${count(files)} files, ${size}`
  if (findings.length === 0) return `${head}\nevery file and log entry is as the manifest says`
  return [
    head,
    '',
    ...findings.map(({ path, wrong }) => `  ${path}: ${wrong}`),
    '',
    `${count(findings.length)} ${findings.length === 1 ? 'finding' : 'findings'}`,
    '  a copy: copy it again, data files first, then logs, then manifest.json',
    '  the lake itself: remove what is damaged, then candlehouse publish writes it anew',
  ].join('\n')
}
