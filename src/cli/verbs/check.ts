import type { Command } from 'commander'
import type { Effects } from '../../effects.js'
import type { Day } from '../../market/day.js'
import { runCheck } from '../../run/verbs/check.js'
import { renderSummary } from '../render/summary.js'
import {
  type AcceptOptions,
  acceptOf,
  type CommonOptions,
  day,
  type Edge,
  settle,
  verb,
  withAccept,
} from '../verb.js'

export function checkVerb(edge: Edge, effects: Effects): Command {
  return withAccept(
    verb('check', 'judge the numbers by every rule: what holds, what is broken, what is withheld'),
  )
    .option('--date <day>', 'session to judge (default: what the latest run brought)', day)
    .action(async (options: CommonOptions & AcceptOptions & { date?: Day }) => {
      const accept = acceptOf(options)
      const call = settle(options, edge, effects)
      const summary = await runCheck(call.settings, { date: options.date, accept }, call)
      await call.answer(summary, () => renderSummary(summary))
      process.exitCode = summary.exitCode
    })
}
