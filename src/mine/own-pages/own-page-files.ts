import { readOwnFiles } from '../own-files.js'
import type { OwnProblem } from '../problem.js'
import type { OwnPage } from './own-page.js'
import { readOwnPageText } from './own-page-text.js'

/** The user's own pages in the order of their names, and what is wrong with the other files. */
export function readOwnPages(home: string): { pages: OwnPage[]; problems: OwnProblem[] } {
  const { files, problems } = readOwnFiles(home, ['page'])
  const pages: OwnPage[] = []
  const tooDeep: OwnProblem[] = []
  for (const { name, file, text } of files) {
    try {
      pages.push(readOwnPageText(name, text))
    } catch (cause) {
      if (!(cause instanceof RangeError)) throw cause
      const wrong = 'its lists or quotes are nested too deep'
      tooDeep.push({ file, line: undefined, wrong, next: 'nest fewer' })
    }
  }
  // In the order of the files.
  return { pages, problems: [...problems, ...tooDeep].sort((a, b) => (a.file < b.file ? -1 : 1)) }
}
