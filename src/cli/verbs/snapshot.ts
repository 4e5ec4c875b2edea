import { readDay } from 'candlehouse-foundation/command-line/argument'
import { type Day, dayOf } from 'candlehouse-foundation/market/day'
import type { Command } from 'commander'
import { calendarOf, runFor } from '../again.js'
import { execute } from '../execute.js'
import { chosenKey } from '../key.js'
import type { NewVerb } from '../verb.js'

export function snapshotVerb(verb: NewVerb): Command {
  return verb('snapshot', 'Fetch accounts only: current balances, margins, positions and orders')
    .fetches()
    .option(
      '--date <day>',
      'trading date of the snapshot (default: today if it is a session, else the latest session)',
      readDay,
    )
    .option('--key <name>', 'read only the accounts of this key of [[accounts]]')
    .writes(async (call, options: { date?: Day; key?: string }) => {
      const { key } = options
      const settings = key === undefined ? call.settings : chosenKey(call.settings, key, 'snapshot')
      const calendar = calendarOf(call)
      const today = dayOf(call.effects.now())
      const latest = calendar.isSession(today) ? today : calendar.previousSession(today)
      const run = runFor(['snapshot'], options, calendar, call)
      const tradingDate = options.date === undefined ? latest : run.tradingDate
      const spec = { ...run, tradingDate, name: 'snapshot', goals: [], accounts: 'only' } as const
      await execute(spec, false, { ...call, settings })
    })
}
