/** What is wrong with a file of the user's own. It ends no run: readers keep the former version, where there is one. */
export interface OwnProblem {
  /** Below the home. */
  readonly file: string
  /** Line of the file, from 1; undefined where no line is to blame. */
  readonly line: number | undefined
  readonly wrong: string
  /** What to do. */
  readonly next: string | undefined
  /** Whether readers still have its former version. */
  readonly keepsFormer?: boolean
  /** Whether readers have a former version that the next publication takes away: what it reads is gone. */
  readonly losesFormer?: boolean
}

/** One line for a run, a check and the doctor: `sql/views/a.sql:3: …`. */
export function problemLine({ file, line, wrong, next, keepsFormer, losesFormer }: OwnProblem): string {
  const lost = losesFormer ? ' (readers lose its former version too, which reads what is gone)' : ''
  const kept = keepsFormer ? ' (readers keep its former version)' : lost
  return `${file}${line === undefined ? '' : `:${line}`}: ${wrong}${kept}${next === undefined ? '' : `; ${next}`}`
}
