import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Instrumenter } from '@stryker-mutator/instrumenter'
import { packageRoot } from '../../src/package.js'
import { filesIn, SOURCE_FOLDERS } from '../support/sources.js'
import { mutationsOf } from './sql-mutations.js'

/** One small fault in one file of `src` or `sql`. */
export interface PlantedBug {
  readonly file: string
  /** What kind of fault it is. */
  readonly kind: string
  /** Range of the text, and what stands there instead. */
  readonly start: number
  readonly end: number
  readonly replacement: string
}

/** Texts and patterns are wording; a body that is emptied is no slip. */
const NOT_PLANTED = new Set(['StringLiteral', 'Regex', 'BlockStatement'])

/**
 * Bugs at random places of `src` and `sql`, at most one a file: the first ones of a list that the seed shuffles. Two of three are
 * in TypeScript, as its share of the lines is.
 */
export async function drawBugs(seed: number, count: number): Promise<PlantedBug[]> {
  const ofSql = Math.round(count / 3)
  const [ts, sql] = [await typescriptBugs(), filesIn(['sql'], '.sql').flatMap(sqlBugs)]
  return [...shuffled(ts, seed).slice(0, count - ofSql), ...shuffled(sql, seed).slice(0, ofSql)]
}

export const textOf = (file: string): string => readFileSync(join(packageRoot, file), 'utf8')

export function planted({ file, start, end, replacement }: PlantedBug): string {
  const text = textOf(file)
  return text.slice(0, start) + replacement + text.slice(end)
}

/** The line, and both texts, of a bug. */
export function described(bug: PlantedBug): string {
  const text = textOf(bug.file)
  const line = text.slice(0, bug.start).split('\n').length
  const short = (part: string): string => {
    const one = part.replaceAll(/\s+/g, ' ').trim()
    return one.length > 60 ? `${one.slice(0, 57)}…` : one
  }
  return `${bug.file}:${line} ${bug.kind}: ${short(text.slice(bug.start, bug.end)) || 'nothing'} → ${short(bug.replacement) || 'nothing'}`
}

/** A bug's place depends on itself alone; of each file the first one. */
function shuffled(bugs: readonly PlantedBug[], seed: number): PlantedBug[] {
  const sorted = bugs
    .map((bug): [string, PlantedBug] => [hashOf([seed, bug.file, bug.kind, bug.start, bug.replacement]), bug])
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([, bug]) => bug)
  const seen = new Set<string>()
  return sorted.filter(({ file }) => !seen.has(file) && seen.add(file))
}

const hashOf = (parts: readonly unknown[]): string =>
  createHash('sha256').update(parts.join(' ')).digest('hex')

function sqlBugs(file: string): PlantedBug[] {
  return mutationsOf(textOf(file)).map((mutation) => ({ file, ...mutation }))
}

/** Those of Stryker, and an `await` that is missing. */
async function typescriptBugs(): Promise<PlantedBug[]> {
  const silent = (): void => undefined
  const logger = {
    trace: silent,
    debug: silent,
    info: silent,
    warn: silent,
    error: silent,
    fatal: silent,
  }
  const isEnabled = (): boolean => false
  const instrumenter = new Instrumenter({
    ...logger,
    isTraceEnabled: isEnabled,
    isDebugEnabled: isEnabled,
    isInfoEnabled: isEnabled,
    isWarnEnabled: isEnabled,
    isErrorEnabled: isEnabled,
    isFatalEnabled: isEnabled,
  })
  const files = filesIn(SOURCE_FOLDERS, '.ts')
  const { mutants } = await instrumenter.instrument(
    files.map((name) => ({ name, content: textOf(name), mutate: true })),
    { plugins: null, excludedMutations: [], ignorers: [], noHeader: true },
  )
  const slips = mutants.filter(({ mutatorName }) => !NOT_PLANTED.has(mutatorName))
  const ofStryker = slips.map(({ fileName, mutatorName, location, replacement }): PlantedBug => {
    const starts = lineStarts(fileName)
    const at = ({ line, column }: { line: number; column: number }): number => (starts[line] ?? 0) + column
    const [start, end] = [at(location.start), at(location.end)]
    return { file: fileName, kind: mutatorName, start, end, replacement }
  })
  return [...ofStryker, ...files.flatMap(missingAwaits)]
}

const starts = new Map<string, number[]>()
function lineStarts(file: string): number[] {
  const known = starts.get(file)
  if (known) return known
  const found = [0]
  for (const { index } of textOf(file).matchAll(/\n/g)) found.push(index + 1)
  starts.set(file, found)
  return found
}

/** `return await` is left alone: outside of `try` nobody sees the difference. */
function missingAwaits(file: string): PlantedBug[] {
  return [...textOf(file).matchAll(/(?<!return )\bawait (?=\w)/g)].map(({ index, 0: { length } }) => ({
    file,
    kind: 'MissingAwait',
    start: index,
    end: index + length,
    replacement: '',
  }))
}
