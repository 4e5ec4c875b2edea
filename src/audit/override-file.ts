import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { StorageError } from 'candlehouse-foundation/errors'
import { z } from 'zod'
import type { Effects } from '../effects.js'
import { appendLines } from '../home/files.js'

const override = z.object({
  rule: z.number(),
  subject: z.string(),
  trading_date: z.string(),
  because: z.string(),
  /** SHA-256 of the offenders that the person saw. */
  offenders: z.string(),
  /** ISO 8601. */
  accepted_at: z.string(),
})

/** A finding that a person overrode. It holds for the offenders that the person saw, and for no others. */
export type Override = z.infer<typeof override>

/** File of the overrides, in `raw/`: like pages, it cannot be derived from anything else. */
export function overrideFile(home: string): string {
  return join(home, 'raw', 'accepted.ndjson')
}

/** All overrides, oldest first. A last line without a newline was cut off by a kill and is ignored. @throws StorageError */
export function readOverrides(home: string): Override[] {
  const file = overrideFile(home)
  if (!existsSync(file)) return []
  const lines = readFileSync(file, 'utf8').split('\n')
  lines.pop()
  return lines.map((line, index) => {
    try {
      return override.parse(JSON.parse(line))
    } catch (cause) {
      throw new StorageError(`${file}, line ${index + 1}: not an override`, {
        hint: 'restore the file from a backup, or remove the line',
        cause,
      })
    }
  })
}

/** Appends overrides and waits until they are on disk. @throws StorageError */
export async function appendOverrides(
  home: string,
  overrides: readonly Override[],
  { disk }: Effects,
): Promise<void> {
  await appendLines(overrideFile(home), overrides, disk)
}
