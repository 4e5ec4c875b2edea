import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Terminal } from 'candlehouse-foundation/command-line/terminal'
import { scrub } from 'candlehouse-foundation/secrets'
import { reasonOf } from 'candlehouse-foundation/system-fault'
import { destination, type Logger, pino } from 'pino'
import type { Log } from '../effects.js'

/**
 * Writes warnings to the terminal and all levels to `logs/candlehouse.ndjson` (0600). Secrets are removed by value,
 * because pino's own redaction covers listed paths only.
 */
export function createLog(home: string, secrets: readonly string[], terminal: Terminal): Log {
  const dest = join(home, 'logs', 'candlehouse.ndjson')
  let file: Logger | undefined
  let isLost = false
  // A log that cannot be written is a warning, once: it never ends a run.
  const lose = (cause: unknown): void => {
    if (isLost) return
    isLost = true
    terminal.words(`warning: ${dest} is not written: ${reasonOf(cause)}`)
  }
  // Opened with the first line, and only if the home exists: verbs that read create nothing.
  const open = (): Logger | undefined => {
    if (!file && existsSync(home)) {
      const stream = destination({ dest, sync: true, mkdir: true, mode: 0o600 })
      stream.on('error', lose)
      file = pino(
        { base: { pid: process.pid }, level: 'debug', timestamp: pino.stdTimeFunctions.isoTime },
        stream,
      )
    }
    return file
  }
  const write = (
    level: 'debug' | 'info' | 'warn',
    message: string,
    fields: Record<string, unknown> = {},
  ): void => {
    if (isLost) return
    try {
      open()?.[level](withoutSecrets(fields, secrets) as Record<string, unknown>, scrub(message, secrets))
    } catch (cause) {
      lose(cause)
    }
  }
  return {
    debug: (message, fields) => write('debug', message, fields),
    info: (message, fields) => write('info', message, fields),
    warn: (message, fields) => {
      terminal.words(`warning: ${message}`)
      write('warn', message, fields)
    },
  }
}

/** A copy without secrets in its texts, numbers and names. Numbers count, because a one-time password is one. */
function withoutSecrets(value: unknown, secrets: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutSecrets(item, secrets))
  if (value !== null && typeof value === 'object') {
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [scrub(name, secrets), withoutSecrets(item, secrets)]),
    )
  }
  if (typeof value === 'string') return scrub(value, secrets)
  if (typeof value !== 'number') return value
  const text = scrub(String(value), secrets)
  return text === String(value) ? value : text
}
