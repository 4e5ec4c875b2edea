/**
 * JSON as the service wrote it: where each value stands in the text of a page. Nothing is parsed into values, which
 * would rewrite them (0.00001 becomes 1e-05, 20 digits become a double).
 */

/** Source texts of the records: of a top-level array, or of the array named `data` in any case. */
export function recordTexts(text: string): string[] {
  const start = skipSpace(text, 0)
  if (text[start] === '[') return elements(text, start)
  for (const [name, value, at] of members(text.slice(start))) {
    if (name.toLowerCase() === 'data' && value.startsWith('[')) return elements(text.slice(start), at)
  }
  return []
}

/** Source texts of the elements of the array that opens at `open`. */
export function elements(text: string, open = 0): string[] {
  const texts: string[] = []
  let at = skipSpace(text, open + 1)
  while (at < text.length && text[at] !== ']') {
    const end = valueEnd(text, at)
    texts.push(text.slice(at, end))
    at = skipSpace(text, end)
    if (text[at] === ',') at = skipSpace(text, at + 1)
  }
  return texts
}

/** Members of the object that opens the text: name, source text of the value, where that begins. */
export function* members(text: string): Generator<[name: string, value: string, at: number]> {
  let at = skipSpace(text, 1)
  while (at < text.length && text[at] === '"') {
    const nameEnd = valueEnd(text, at)
    const name = JSON.parse(text.slice(at, nameEnd)) as string
    const from = skipSpace(text, skipSpace(text, nameEnd) + 1)
    const end = valueEnd(text, from)
    yield [name, text.slice(from, end), from]
    at = skipSpace(text, end)
    if (text[at] === ',') at = skipSpace(text, at + 1)
  }
}

/** Position after the JSON value that starts at `at`. The page was proven to be JSON before it landed. */
function valueEnd(text: string, at: number): number {
  let depth = 0
  for (let i = at; i < text.length; i++) {
    const char = text[i]
    if (char === '"') {
      i++
      while (i < text.length && text[i] !== '"') i += text[i] === '\\' ? 2 : 1
      if (depth === 0) return i + 1
    } else if (char === '{' || char === '[') depth++
    else if (char === '}' || char === ']') {
      if (depth === 0) return i
      if (--depth === 0) return i + 1
    } else if (depth === 0 && (char === ',' || /\s/.test(char ?? ''))) return i
  }
  return text.length
}

function skipSpace(text: string, at: number): number {
  let i = at
  while (i < text.length && /\s/.test(text[i] ?? '')) i++
  return i
}
