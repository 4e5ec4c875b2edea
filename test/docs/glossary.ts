import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../src/package.js'

/** A word that the glossary rejects in every meaning, and what it has instead. */
export interface RejectedWord {
  readonly word: string
  readonly instead: string
}

/** Cells of the rows of a table below a heading; the first two rows are its head. */
function rowsOf(section: string): string[][] {
  return section
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .slice(2)
    .map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    )
}

const PAGE = readFileSync(join(packageRoot, 'docs/glossary.md'), 'utf8')

/**
 * Words of the columns `not` and `word`. A word followed by parentheses has another meaning that is right: `log (of pages)`.
 * No program can tell its meanings apart, so it is not among them.
 */
export function rejectedWords(page = PAGE): RejectedWord[] {
  const words = page.split(/^## /m).flatMap((section) => {
    const isLast = section.startsWith('Words with several meanings')
    return rowsOf(section).flatMap(([first = '', second = '', third = '']) => {
      const [cell, instead] = isLast ? [first, second] : [third, first]
      if (isLast && cell.includes('(')) return []
      return cell
        .replace(/[^,(]+\([^)]*\)/g, '')
        .split(',')
        .map((word) => word.trim().toLowerCase())
        .filter((word) => word !== '')
        .map((word) => ({ word, instead }))
    })
  })
  const insteads = new Map<string, string>()
  for (const { word, instead } of words) {
    const known = insteads.get(word)
    insteads.set(word, known === undefined ? instead : `${known}; ${instead}`)
  }
  return [...insteads].map(([word, instead]) => ({ word, instead }))
}

/** The words of a name in any spelling, or of a text: `kept-answers`, `kept_answers`, `keptAnswers`, `Kept answers`. */
export function wordsOf(text: string): string {
  return ` ${text
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/[^A-Za-z]+/g, ' ')
    .trim()
    .toLowerCase()} `
}

/** Which rejected words a text has, in the plural, the past or another form too. */
export function rejectedIn(text: string, rejected: readonly RejectedWord[]): RejectedWord[] {
  const words = wordsOf(text)
  return rejected.filter(({ word }) => new RegExp(` ${formsOf(word)} `).test(words))
}

/** A word, its plural, past and present participle. */
function formsOf(word: string): string {
  return word.endsWith('e') ? `${word.slice(0, -1)}(e|es|ed|ing)` : `${word}(s|es|ed|ing)?`
}
