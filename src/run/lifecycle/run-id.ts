import type { Effects } from '../../effects.js'

/**
 * Run ids sort by start, even if the clock was set back: a new one is always later than the newest journal, which is
 * replayed before it.
 */
export function newRunId(journalled: readonly string[], effects: Effects): string {
  const suffix = Math.floor(effects.random() * 0x10000)
    .toString(16)
    .padStart(4, '0')
  const newest = journalled.at(-1)?.slice(0, STAMP.length) ?? ''
  let at = effects.now()
  while (stamp(at) <= newest) at = Math.max(at + 1, parseStamp(newest) + 1)
  return `${stamp(at)}-${suffix}`
}

const STAMP = '20250314T110000000Z'

function stamp(now: number): string {
  return new Date(now).toISOString().replaceAll(/[-:.]/g, '')
}

/** ISO 8601: when the run of an id began; undefined where the id is of another form. */
export function startOf(id: string): string | undefined {
  const at = parseStamp(id.slice(0, STAMP.length))
  return at > 0 ? new Date(at).toISOString() : undefined
}

function parseStamp(text: string): number {
  const [, date, time, ms] = /^(\d{8})T(\d{6})(\d{3})Z$/.exec(text) ?? []
  if (!date || !time) return 0
  const iso = `${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}T${time.slice(0, 2)}:${time.slice(2, 4)}:${time.slice(4)}.${ms}Z`
  return Date.parse(iso)
}
