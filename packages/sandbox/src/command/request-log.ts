import { closeSync, openSync, writeSync } from 'node:fs'
import type { Terminal } from 'candlehouse-foundation/command-line/terminal'
import { StorageError } from 'candlehouse-foundation/errors'
import { reasonOf } from 'candlehouse-foundation/system-fault'

/** Where the lines of the sandbox's request log go. */
export interface RequestLog {
  readonly write: (line: string) => void
  close(): void
}

/**
 * Appends each line to a file (0600: lines have account numbers), or writes it to stderr without one. A file that cannot be
 * written any more is a warning, once.
 *
 * @throws StorageError if the file cannot be opened
 */
export function openRequestLog(file: string | undefined, terminal: Terminal): RequestLog {
  if (file === undefined) return { write: (line) => terminal.words(line), close: () => undefined }
  const descriptor = opened(file)
  let isLost = false
  return {
    write(line) {
      if (isLost) return
      try {
        writeSync(descriptor, `${terminal.clean(line)}\n`)
      } catch (cause) {
        isLost = true
        terminal.words(`warning: ${file} is not written any more: ${reasonOf(cause)}`)
      }
    },
    close: () => closeSync(descriptor),
  }
}

function opened(file: string): number {
  try {
    return openSync(file, 'a', 0o600)
  } catch (cause) {
    throw new StorageError(`--log ${file} cannot be written: ${reasonOf(cause)}`, {
      hint: 'name a file in a folder that exists, or leave the name out: the log then goes to stderr',
      cause,
    })
  }
}
