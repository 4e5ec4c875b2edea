const reached = new Map<string, number>()

/** Something that is worth knowing of happened: a name, and how often. */
export function happened(situation: string): void {
  reached.set(situation, (reached.get(situation) ?? 0) + 1)
}

/** Every situation that was reached, most frequent first. */
export function situations(): (readonly [name: string, times: number])[] {
  return [...reached].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
}

/** Situations of `SOMETIMES` that no seed has reached. */
export function unreached(): string[] {
  return SOMETIMES.filter((name) => !reached.has(name))
}

const words = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** Seeds that have to reach every situation. */
export const MANY_SEEDS = 10_000

/**
 * What must happen in many seeds: a simulation that never gets there proves nothing about it. The soak fails for each that is not
 * reached.
 */
export const SOMETIMES: readonly string[] = words(`
  killed at request
  killed at response
  killed at statement BEGIN
  killed at statement COMMIT
  killed at statement COPY
  killed at statement CREATE
  killed at statement INSERT
  killed at statement UPDATE
  killed at statement DELETE
  killed at disk create
  killed at disk write
  killed at disk rename
  killed at disk link
  killed at disk syncData
  killed at disk syncFolder
  killed two nights in a row
  power cut at request
  power cut at statement COMMIT
  power cut at statement COPY
  power cut at disk write
  power cut at disk rename
  power cut at disk link
  power cut at disk syncData
  power cut at disk syncFile
  power cut at disk syncFolder
  window 500, exit 4
  window 502, exit 0
  window 401, exit 4
  window 403, exit 4
  window 404, exit 4
  window 400, exit 4
  window hang, exit 4
  window truncated, exit 0
  window another shape, exit 4
  window one more counted, exit 4
  window login page, exit 4
  field securitiesByBoard missing, exit 4
  field securitiesSummary renamed, exit 4
  field ohlc null, exit 4
  field masterdata another type, exit 4
  field indexSummary renamed, exit 4
  omitted, exit 4
  hidden, exit 4
  bad value, exit 4
  restated, exit 0
  odd holding, exit 0
  session lost, exit 0
  session lost, exit 4
  token expired, exit 0
  outage, exit 0
  outage, exit 5
  slow, exit 0
  rate limit, exit 0
  clock, exit 3
  disk ENOSPC, exit 6
  disk EIO, exit 6
  disk EROFS, exit 6
  disk EACCES, exit 6
  file lake gone, exit 0
  file lake cut, exit 0
  file lake flipped, exit 0
  file catalog gone, exit 0
  file catalog flipped, exit 0
  file manifest cut, exit 0
  file conclusion flipped, exit 0
  typed repair, exit 0
  typed replay, exit 0
  typed publish, exit 0
  advised repair
  reader, exit 0
  key main refused, exit 4
  key desk refused, exit 4
  bucket 403, exit 4
  bucket 500, exit 4
  bucket lost before, exit 4
  bucket lost after, exit 0
  bucket 503, exit 0
  killed at bucket
  power cut at bucket
  imported, exit 0
  healed by the first healthy night
  healed by the second healthy night
`)
