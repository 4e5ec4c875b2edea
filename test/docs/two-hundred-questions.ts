import { packagedPage } from '../../src/mcp/packaged-docs.js'

/** A line of docs/two-hundred-questions.md. */
export interface AskedQuestion {
  readonly number: number
  readonly english: string
  readonly vietnamese: string
  /** Address of its statement. */
  readonly statement: string
  /** Columns that an answer has to have. */
  readonly needed: readonly string[]
}

const LINE = /^\| (\d+) +\| (.+?) +\| (.+?) +\| \[(\d+)\]\((\S+)\) +\| (.+?) +\|$/gm

export function readQuestions(): AskedQuestion[] {
  return [...packagedPage('two-hundred-questions.md').matchAll(LINE)].map(
    ([, number, english = '', vietnamese = '', label, statement = '', needed = '']) => {
      if (number !== label) throw new RangeError(`question ${number} leads to statement ${label}`)
      return { number: Number(number), english, vietnamese, statement, needed: needed.match(/\w+/g) ?? [] }
    },
  )
}
