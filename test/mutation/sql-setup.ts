import { mkdirSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { afterAll, expect, inject } from 'vitest'
import { packageRoot } from '../../src/package.js'

declare module 'vitest' {
  interface ProvidedContext {
    /** The text that stands in place of `sql/<path>`; none while reads are recorded. */
    sqlMutant: { readonly path: string; readonly text: string } | undefined
    /** Folder for the list of SQL files that each file of tests reads; none while mutants run. */
    sqlReads: string | undefined
  }
}

declare global {
  var sqlTextOf: ((path: string) => string | undefined) | undefined
}

const mutant = inject('sqlMutant')
const folder = inject('sqlReads')
const reads = new Set<string>()

globalThis.sqlTextOf = (path) => {
  reads.add(path)
  return mutant?.path === path ? mutant.text : undefined
}

afterAll(() => {
  if (folder === undefined) return
  const file = relative(packageRoot, expect.getState().testPath ?? '')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, file.replaceAll('/', '__')), [...reads].sort().join('\n'))
})
