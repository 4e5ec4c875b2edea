import { ownFile } from './own-files.js'
import { type OwnLimits, type OwnProcess, TABLE_LIMITS } from './own-process.js'
import type { OwnProblem } from './problem.js'

/** A table to compute, and where its file goes. */
interface Computation {
  readonly table: { readonly sql: string }
  readonly catalog: string
  readonly lake: string
  readonly file: string
  readonly folder: string
}

type Computed = { readonly columns: readonly { name: string; type: string }[] } | { readonly wrong: string }

/** Computes tables of the user's own, apart. */
export function computeTable(
  apart: OwnProcess,
  limits: OwnLimits = TABLE_LIMITS,
): (computation: Computation) => Promise<Computed> {
  return async ({ table, ...place }) => await apart.run({ ...place, sql: table.sql, limits })
}

/** What a run and the console say of a table that could not be computed. */
export function problemOfTable(failed: {
  readonly name: string
  readonly wrong: string
  readonly keepsFormer: boolean
}): OwnProblem {
  const { name, wrong, keepsFormer } = failed
  const [words = ''] = wrong.split('\n')
  return { file: ownFile('table', name), line: undefined, wrong: words, next: undefined, keepsFormer }
}
