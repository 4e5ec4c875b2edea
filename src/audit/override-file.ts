import { join } from 'node:path'
import { z } from 'zod'
import type { Effects } from '../effects.js'
import { appendLines } from '../home/files.js'
import { readRecordLines } from '../home/record-lines.js'

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

/** All overrides, oldest first. @throws StorageError */
export function readOverrides(home: string): Override[] {
  return readRecordLines(overrideFile(home), (value) => override.parse(value), 'an override')
}

/** Appends overrides and waits until they are on disk. @throws StorageError */
export async function appendOverrides(
  home: string,
  overrides: readonly Override[],
  { disk }: Effects,
): Promise<void> {
  await appendLines(overrideFile(home), overrides, disk)
}
