import { UsageError } from 'candlehouse-foundation/errors'
import { Argument, type Command } from 'commander'
import { execute } from '../execute.js'
import type { NewVerb, Verb } from '../verb.js'
import {
  BACKFILLED,
  type Backfilled,
  type BackfillOptions,
  backfillSpec,
  withBackfillOptions,
} from './backfill.js'
import { type NightlyOptions, nightlySpec, withNightlyOptions } from './nightly.js'

/** `plan nightly …` and `plan backfill DATASET …`; `plan` alone is `plan nightly`. */
export function planVerb(verb: NewVerb): Command {
  const plan = verb('plan', 'Show which requests nightly or backfill would send and why; send none')
    .addArgument(new Argument('[job]', 'job to plan').choices(['nightly', 'backfill']).default('nightly'))
    .addArgument(new Argument('[dataset]', 'dataset that backfill would fill').choices(BACKFILLED))
  return withPlanned(plan, verb).reads(
    async (
      call,
      job: 'nightly' | 'backfill',
      dataset: Backfilled | undefined,
      options: NightlyOptions & BackfillOptions,
    ) => {
      if (job === 'nightly') {
        if (dataset) {
          throw new UsageError(`plan nightly takes no dataset, but '${dataset}' was given`, {
            hint: `candlehouse plan backfill ${dataset}`,
          })
        }
        if (options.timeframe) {
          throw new UsageError(
            'plan nightly takes no --timeframe: it fetches 1m, and the others are derived',
            { hint: `candlehouse plan backfill ohlc --timeframe ${options.timeframe}` },
          )
        }
        if (options.from || options.to) {
          throw new UsageError('plan nightly takes --date and --sessions, not --from and --to', {
            hint: 'candlehouse plan backfill all --from DAY --to DAY',
          })
        }
        await execute(nightlySpec(options, call), true, call)
        return
      }
      if (!dataset) {
        throw new UsageError('plan backfill needs a dataset', { hint: 'candlehouse plan backfill all' })
      }
      if (options.sessions !== undefined) {
        throw new UsageError('plan backfill takes --from and --to, not --sessions', {
          hint: 'candlehouse plan nightly --sessions COUNT',
        })
      }
      await execute(backfillSpec(dataset, options, call), true, call)
    },
  )
}

/** Adds the options of both jobs. An option that both have is added once. */
function withPlanned(command: Verb, verb: NewVerb): Verb {
  const nightly = withNightlyOptions(verb('nightly', ''))
  const backfill = withBackfillOptions(verb('backfill', ''))
  const names = new Set(command.options.map((option) => option.attributeName()))
  for (const option of [...nightly.options, ...backfill.options]) {
    if (names.has(option.attributeName())) continue
    names.add(option.attributeName())
    command.addOption(option)
  }
  return command
}
