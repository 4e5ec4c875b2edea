/** What one check found. `note`: worth knowing, nothing is broken. `fail`: must be repaired first. */
export interface Diagnosis {
  readonly check: string
  readonly state: 'ok' | 'note' | 'fail'
  readonly finding: string
  /** What the finding means for the nightly; null where it means nothing. */
  readonly meaning: string | null
  /** What to type, one command per line; null where there is nothing to do. */
  readonly next: string | null
  /** The exit code that a failure stands for, as other verbs would end. */
  readonly exitCode: number
}

export function ok(check: string, finding: string): Diagnosis {
  return { check, state: 'ok', finding, meaning: null, next: null, exitCode: 0 }
}

export function note(
  check: string,
  finding: string,
  meaning: string | null = null,
  next: string | null = null,
): Diagnosis {
  return { check, state: 'note', finding, meaning, next, exitCode: 0 }
}

export function fail(
  check: string,
  exitCode: number,
  finding: string,
  meaning: string,
  next: string | null,
): Diagnosis {
  return { check, state: 'fail', finding, meaning, next, exitCode }
}

/** Exit code of a doctor: that of the first failure, 0 where there is none. */
export function worstCode(diagnoses: readonly Diagnosis[]): number {
  return diagnoses.find(({ state }) => state === 'fail')?.exitCode ?? 0
}
