import type { Terminal } from 'candlehouse-foundation/command-line/terminal'
import { SingleBar } from 'cli-progress'
import type { Effects } from '../effects.js'
import type { Progress } from '../night/progress.js'

/** Shortest time between two progress lines, if stderr is not a terminal. */
const LINE_EVERY_MS = 10_000

/** A progress bar on a terminal, plain lines elsewhere, nothing with --quiet. */
export function createProgress(terminal: Terminal, quiet: boolean, effects: Effects): Progress {
  if (quiet) return { phase() {}, advance() {}, done() {} }
  return terminal.interactive ? bars(terminal, effects) : lines(terminal, effects)
}

function bars(terminal: Terminal, effects: Effects): Progress {
  let bar: SingleBar | undefined
  let startedAt = 0
  let done = 0
  const stop = (): void => {
    bar?.stop()
    bar = undefined
    terminal.drawing(false)
  }
  return {
    phase(name, total, unit = 'windows') {
      stop()
      startedAt = effects.monotonic()
      done = 0
      if (total === 0) return
      bar = new SingleBar({
        format:
          total === undefined
            ? `${name.padEnd(9)} … {note}`
            : `${name.padEnd(9)} {bar} {value}/{total} ${unit} · {rate}/s · {eta_formatted} left · {note}`,
        barCompleteChar: '█',
        barIncompleteChar: '░',
        barsize: 24,
        hideCursor: true,
        stream: process.stderr,
        linewrap: false,
      })
      terminal.drawing(true)
      bar.start(total ?? 1, 0, { rate: '0', note: '' })
    },
    advance(count, note = '') {
      done += count
      bar?.increment(count, { rate: perSecond(done, effects.monotonic() - startedAt), note: note.padEnd(28) })
    },
    done() {
      if (bar)
        bar.update(bar.getTotal(), { note: `in ${seconds(effects.monotonic() - startedAt)}`.padEnd(28) })
      stop()
    },
  }
}

function lines(terminal: Terminal, effects: Effects): Progress {
  let current: { name: string; total: number | undefined; unit: string } | undefined
  let startedAt = 0
  let lastLine = 0
  let done = 0
  return {
    phase(name, total, unit = 'windows') {
      current = { name, total, unit }
      startedAt = lastLine = effects.monotonic()
      done = 0
      // "export: 100 %" before the start would look like the end.
      if (total !== undefined && unit !== '%') terminal.words(`${name}: ${total} ${unit}`)
    },
    advance(count, note) {
      done += count
      const now = effects.monotonic()
      if (!current || now - lastLine < LINE_EVERY_MS) return
      if (!current.total) {
        if (!note) return
        lastLine = now
        terminal.words(`${current.name}: ${note}`)
        return
      }
      lastLine = now
      const remaining = ((now - startedAt) / done) * (current.total - done)
      terminal.words(
        `${current.name}: ${done} of ${current.total} ${current.unit}, ${perSecond(done, now - startedAt)}/s, ${seconds(remaining)} left`,
      )
    },
    done() {
      if (!current) return
      terminal.words(`${current.name}: done in ${seconds(effects.monotonic() - startedAt)}`)
      current = undefined
    },
  }
}

function perSecond(count: number, ms: number): string {
  const rate = count / Math.max(0.001, ms / 1000)
  return rate < 10 ? rate.toFixed(1) : rate.toFixed(0)
}

/** A duration for people: `0.4 s`, `12 s`, `3 min 5 s`, `2 h 10 min`. */
export function seconds(ms: number): string {
  if (ms < 10_000) return `${(ms / 1000).toFixed(1)} s`
  const whole = Math.round(ms / 1000)
  if (whole < 60) return `${whole} s`
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`
}
