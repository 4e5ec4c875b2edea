import { UsageError } from 'candlehouse-foundation/errors'
import { counted } from 'candlehouse-foundation/number-text'
import type { Engine } from '../../read/backtest/engine-names.js'
import type { BarLength } from '../../read/backtest/engine-writer.js'
import type { EngineManifest } from '../../read/backtest/export-for.js'
import type { Call } from '../verb.js'

export interface ForEngine {
  engine: Engine
  out: string
  from?: string | undefined
  to?: string | undefined
  timeframe?: string | undefined
  universe?: string | undefined
  asKnownOn?: string | undefined
  /** Absolute. */
  receipt?: string | undefined
}

/** Writes the folder that a backtesting engine loads. */
export async function writeForEngine(call: Call, asked: ForEngine): Promise<void> {
  const { engine, out, from, to, universe = 'all', asKnownOn, receipt } = asked
  const { exportFor } = await import('../../read/backtest/export-for.js')
  const timeframe = barLength(engine, asked.timeframe ?? '1d')
  const { progress, signal, terminal } = call
  let isBegun = false
  const manifest = await exportFor(
    call.settings.home,
    { engine, out, from, to, universe, timeframe, asKnownOn, receipt },
    {
      signal,
      symbol(count) {
        if (isBegun) progress.advance(1)
        else progress.phase('export', count, 'symbols')
        isBegun = true
      },
      note(words) {
        terminal.words(`note: ${words}`)
      },
    },
    call.effects,
  )
  progress.done()
  await call.answer({ out, ...manifest }, () => writtenWords(out, manifest))
}

/** @throws UsageError for a length of bar that no engine's export has */
function barLength(engine: Engine, timeframe: string): BarLength {
  if (timeframe === '1d' || timeframe === '1m') return timeframe
  throw new UsageError(`an export for ${engine} has no bars of ${timeframe}`, {
    hint: '--timeframe 1d, or 1m where the engine takes it',
  })
}

/** What a user must know before a backtest runs on it: what is missing, and where prices do not compare. */
function writtenWords(out: string, manifest: EngineManifest): string {
  const { first_session, last_session, sessions, instruments, delisted, publication } = manifest
  const missing = manifest.missing_sessions
  const unknown = Object.entries(manifest.factors_known_from)
  return [
    `${out}: ${counted(instruments, 'symbol')} (${delisted} delisted), ` +
      `${counted(sessions, 'session')} from ${first_session} to ${last_session}, publication ${publication}`,
    ...(missing.length > 0
      ? [
          `  nothing is stored of ${counted(missing.length, 'session')} in between: ${firstOf(missing)}    # candlehouse status`,
        ]
      : []),
    ...(unknown.length > 0
      ? [
          `  prices before and after a day do not compare, an adjustment is not known: ${firstOf(unknown.map(([symbol, from]) => `${symbol} ${from}`))}`,
        ]
      : []),
    ...(manifest.members_known_from === null
      ? []
      : [
          `  members of ${manifest.universe} are known from ${manifest.members_known_from} on: before it, the symbols are those of later members`,
        ]),
    ...manifest.skipped.map(({ why, symbols }) => `  skipped: ${firstOf(symbols)}: ${why}`),
  ].join('\n')
}

const MOST_NAMED = 5

function firstOf(words: readonly string[]): string {
  const more = words.length - MOST_NAMED
  return words.slice(0, MOST_NAMED).join(', ') + (more > 0 ? ` and ${more} more` : '')
}
