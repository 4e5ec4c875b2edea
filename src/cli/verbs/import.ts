import { resolve } from 'node:path'
import { dayOf } from 'candlehouse-foundation/market/day'
import type { Timeframe } from 'candlehouse-foundation/market/timeframe'
import { Argument, type Command } from 'commander'
import { makeHome, makeReaderFolder, makeTempFolder } from '../../home/home.js'
import type { History } from '../../import/index.js'
import type { CommandLine } from '../../night/conclusion.js'
import { tradingDateOf } from '../../run/jobs/goals.js'
import { againOf, calendarOf } from '../again.js'
import { answerSummary, withNotice } from '../notified.js'
import { renderImport } from '../render/import.js'
import type { Call, NewVerb } from '../verb.js'

interface Options {
  symbol?: string
  index?: string
  timeframe?: Timeframe
  dryRun?: true
}

export function importVerb(verb: NewVerb): Command {
  return verb(
    'import',
    'Import data of your own from a CSV or Parquet file; data of the service is never replaced',
  )
    .retain()
    .addArgument(
      new Argument(
        '<dataset>',
        'securitiesSummary, indexSummary, masterdata, ohlc or corporate_actions, or the name of its relation',
      ),
    )
    .argument('<file>', 'CSV (plain or gzip) or Parquet, with the column names of the API or of the relation')
    .option('--symbol <symbol>', 'symbol for every row if the file has no symbol column')
    .option('--index <index>', 'index for every row if the file has no index column')
    .timeframe('timeframe for every candle if the file has no timeframe column')
    .option('--dry-run', 'read and check the file and show what it would add; write nothing')
    .writes(async (call, dataset: string, path: string, options: Options) => {
      const { importedOf, openHistory } = await import('../../import/index.js')
      const { symbol, index, timeframe } = options
      const { home } = call.settings
      using history = await openHistory({
        path: resolve(call.folder, path),
        dataset: importedOf(dataset),
        flags: { symbol, index, timeframe },
        today: dayOf(call.effects.now()),
        makeFolder: () => (options.dryRun ? makeReaderFolder(home) : makeFolderOfRun(home)),
      })
      const again = againOf(['import', dataset, path], options)
      await (options.dryRun ? show(history, call) : bring(history, again, call))
    })
}

function makeFolderOfRun(home: string): string {
  makeHome(home)
  return makeTempFolder(home)
}

async function show(history: History, call: Call): Promise<void> {
  const { viewImport } = await import('../../run/verbs/import.js')
  const view = await viewImport(call.settings, history)
  await call.answer(view, () => renderImport(view))
}

async function bring(history: History, again: CommandLine, call: Call): Promise<void> {
  const tradingDate = tradingDateOf(undefined, calendarOf(call), call.effects.now())
  const spec = { name: 'import', tradingDate, goals: [], accounts: 'none', history, again } as const
  const { runJob } = await import('../../run/verbs/job.js')
  await withNotice(call, async (io) => {
    await answerSummary(await runJob(call.settings, spec, io), call)
  })
}
