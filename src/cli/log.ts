import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { destination, type Logger, pino } from 'pino'
import type { Log } from '../effects.js'
import { scrub } from '../secrets.js'
import type { Terminal } from './terminal.js'

/**
 * Warnings to the terminal, everything to `logs/candlehouse.ndjson` (0600). Secrets are taken out by value:
 * pino's own redaction covers listed paths only.
 */
export function createLog(home: string, secrets: readonly string[], terminal: Terminal): Log {
  let file: Logger | undefined
  // Opened with the first line, and never before the home exists: reading verbs create nothing.
  const open = (): Logger | undefined => {
    if (!file && existsSync(home)) {
      const dest = join(home, 'logs', 'candlehouse.ndjson')
      file = pino(
        { base: { pid: process.pid }, level: 'debug', timestamp: pino.stdTimeFunctions.isoTime },
        destination({ dest, sync: true, mkdir: true, mode: 0o600 }),
      )
    }
    return file
  }
  const write = (
    level: 'debug' | 'info' | 'warn',
    message: string,
    fields: Record<string, unknown> = {},
  ): void => {
    const clean = JSON.parse(scrub(JSON.stringify(fields), secrets)) as Record<string, unknown>
    open()?.[level](clean, scrub(message, secrets))
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
