import type { Fault } from './fault.js'
import type { OwnFile } from './own-files.js'
import type { OwnProblem } from './problem.js'

/** What binding gets of its process. */
export interface Binding {
  /** What is wrong with files that are not to be bound. */
  readonly refused: ReadonlyMap<string, string>
  /** Called before a file is bound. */
  readonly onFile: (file: string) => void
}

/**
 * Binds files of one kind, each by itself: one that fails is left out.
 *
 * @param bindOne gets those that were bound before
 */
export async function bindEach<Bound extends object>(
  files: readonly OwnFile[],
  { refused, onFile }: Binding,
  bindOne: (file: OwnFile, before: readonly Bound[]) => Promise<Bound | Fault>,
): Promise<{ bound: Bound[]; problems: OwnProblem[] }> {
  const bound: Bound[] = []
  const problems: OwnProblem[] = []
  for (const ownFile of files) {
    const { file } = ownFile
    const wrong = refused.get(file)
    if (wrong !== undefined) {
      problems.push({ file, line: undefined, wrong, next: undefined })
      continue
    }
    onFile(file)
    const one = await bindOne(ownFile, bound)
    if ('wrong' in one) problems.push({ file, ...one })
    else bound.push(one)
  }
  return { bound, problems }
}
