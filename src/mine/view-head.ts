/**
 * What the head of a file says: its first comment, up to an empty line, describes the view; lines of the form `-- column: words`
 * describe its columns.
 */
export interface Head {
  readonly comment: string
  /** By name of the column. */
  readonly columns: ReadonlyMap<string, string>
}

/** A line that describes a column, if the view has one of that name. */
const COLUMN = /^(\w+):\s+(.+)$/

/** @param columns the names of the view's columns */
export function headOf(text: string, columns: readonly string[]): Head {
  const described = new Map<string, string>()
  const lines: string[] = []
  let last: string | undefined
  let isAbout = true
  for (const line of firstComment(text)) {
    const [, name = '', words = ''] = COLUMN.exec(line) ?? []
    if (columns.includes(name)) {
      described.set(name, words)
      last = name
    } else if (line === '') {
      last = undefined
      isAbout = false
    } else if (last !== undefined) described.set(last, `${described.get(last)} ${line}`)
    else if (isAbout) lines.push(line)
  }
  return { comment: lines.join(' '), columns: described }
}

/** Lines of the comment that a text begins with, without their marks. */
function firstComment(text: string): string[] {
  const [, block] = /^\s*\/\*([\s\S]*?)\*\//.exec(text) ?? []
  if (block !== undefined) return block.split('\n').map((line) => line.replace(/^\s*\*?\s?/, '').trim())
  const lines = text.trimStart().split('\n')
  const end = lines.findIndex((line) => !line.startsWith('--'))
  return lines.slice(0, end < 0 ? lines.length : end).map((line) => line.replace(/^--+/, '').trim())
}
