/** Characters of a line of SQL, at most (`test/structure/sql.test.ts`). */
export const WIDTH = 110

/** Items with commas between them, as many per line as fit. @param end what follows the last one */
export function filled(items: readonly string[], indent: string, end = ''): string[] {
  const lines: string[] = []
  let line = indent
  items.forEach((item, index) => {
    const next = `${item}${index < items.length - 1 ? ',' : end}`
    if (line !== indent && line.length + 1 + next.length > WIDTH) {
      lines.push(line)
      line = indent
    }
    line += line === indent ? next : ` ${next}`
  })
  return [...lines, line]
}

/** Lines with commas between them. */
export function listed(items: readonly string[]): string[] {
  return items.map((item, index) => (index < items.length - 1 ? `${item},` : item))
}

/** A comment in lines. */
export function comment(text: string): string[] {
  const lines = ['--']
  for (const word of text.split(' ')) {
    const line = lines.at(-1) as string
    if (line.length + 1 + word.length > WIDTH) lines.push(`-- ${word}`)
    else lines[lines.length - 1] = `${line} ${word}`
  }
  return lines
}

/** A call, its last argument on a line of its own where the call is too long for one. @param end what follows it */
export function call(name: string, args: readonly string[], indent: string, end = ','): string {
  const line = `${indent}${name}(${args.join(', ')})`
  if (line.length + end.length <= WIDTH) return line
  return `${indent}${name}(${args.slice(0, -1).join(', ')},\n${indent}  ${args.at(-1)})`
}
