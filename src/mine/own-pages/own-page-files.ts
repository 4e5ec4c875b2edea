import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { reasonOf } from 'candlehouse-foundation/system-fault'
import { OWN_NAME } from '../own-files.js'
import type { OwnProblem } from '../problem.js'
import type { OwnPage } from './own-page.js'
import { readOwnPageText } from './own-page-text.js'

/** Folder of the user's own pages, below the home. */
const PAGES = join('sql', 'pages')

/** The file of a page, below the home. */
export function pageFile(name: string): string {
  return join(PAGES, `${name}.md`)
}

/** Larger files are not a page that somebody has written. */
const MOST_BYTES = 64_000

/** The user's own pages in the order of their names, and what is wrong with the other files. */
export function readOwnPages(home: string): { pages: OwnPage[]; problems: OwnProblem[] } {
  const folder = join(home, PAGES)
  const entries = existsSync(folder) ? readdirSync(folder).sort() : []
  const pages: OwnPage[] = []
  const problems: OwnProblem[] = []
  for (const entry of entries.filter((name) => name.endsWith('.md') && !name.startsWith('.'))) {
    const read = readPage(home, entry.slice(0, -'.md'.length))
    if ('wrong' in read) problems.push(read)
    else pages.push(read)
  }
  return { pages, problems }
}

function readPage(home: string, name: string): OwnPage | OwnProblem {
  const file = pageFile(name)
  const problem = (wrong: string, next: string): OwnProblem => ({ file, line: undefined, wrong, next })
  if (!OWN_NAME.test(name))
    return problem(
      `${JSON.stringify(name)} cannot be the name of a page`,
      'name the file with small letters, digits and _, a letter first: sql/pages/my_page.md',
    )
  try {
    const path = join(home, file)
    if (statSync(path).size > MOST_BYTES)
      return problem(`it has more than ${MOST_BYTES} bytes`, 'make two pages of it')
    const text = new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path))
    return readOwnPageText(name, text)
  } catch (cause) {
    if (cause instanceof RangeError) return problem('its lists or quotes are nested too deep', 'nest fewer')
    const why = cause instanceof TypeError ? 'it is not UTF-8 text' : reasonOf(cause)
    return problem(`it cannot be read: ${why}`, 'save it again as text in UTF-8')
  }
}
