import { readDay } from 'candlehouse-foundation/command-line/argument'
import { shellWord } from 'candlehouse-foundation/command-line/shell-word'
import { UsageError } from 'candlehouse-foundation/errors'
import type { Day } from 'candlehouse-foundation/market/day'
import type { Command } from 'commander'
import { renderReconciliation } from '../render/reconcile.js'
import { type Call, type CommonOptions, type NewVerb, prepareCall, prepareReading } from '../verb.js'

interface Options extends CommonOptions {
  date?: Day
  explain?: string | true
}

export function reconcileVerb(verb: NewVerb): Command {
  return verb(
    'reconcile',
    'Compare fills, positions and cash of every account; show unexplained differences first',
  )
    .option('--date <day>', 'trading date of the snapshots (default: the latest one with snapshots)', readDay)
    .option(
      '--explain [account]',
      'show the first event at which fills, positions and cash of an account differ (default: of every account); read the catalog only',
    )
    .works(async (options: Options, edge, effects) => {
      if (options.explain !== undefined) return await explain(prepareReading(options, edge, effects), options)
      const call = await prepareCall(options, edge, effects)
      const { runReconcile } = await import('../../run/verbs/reconcile.js')
      const reconciliation = await runReconcile(call.settings, options.date, call)
      await call.answer(reconciliation, () => renderReconciliation(reconciliation))
    })
}

async function explain(call: Call, { date, explain: wanted }: Options): Promise<void> {
  const account = typeof wanted === 'string' ? wanted : undefined
  if (date !== undefined)
    throw new UsageError('--explain goes through all snapshots of the account: it takes no --date', {
      hint: `candlehouse reconcile --explain ${account === undefined ? '' : shellWord(account)}`.trim(),
    })
  const { explainAccount, explainAccounts } = await import('../../read/explain/index.js')
  const { renderExplanation } = await import('../render/explain.js')
  if (account !== undefined) {
    const explanation = await explainAccount(call.settings.home, account)
    return await call.answer(explanation, () => renderExplanation(explanation))
  }
  const accounts = await explainAccounts(call.settings.home)
  await call.answer({ accounts }, () => accounts.map(renderExplanation).join('\n\n'))
}
