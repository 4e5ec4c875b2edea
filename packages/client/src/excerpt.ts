/** Bytes that are read for an excerpt: four for each of its characters. */
const READ = 800

/** The beginning of a body that may be large. An ellipsis says that there is more: a secret may have been cut there. */
export function excerptOfBody(body: Uint8Array): string {
  const short = excerpt(Buffer.from(body.subarray(0, READ)).toString('utf8'))
  return body.length > READ && !short.endsWith('…') ? `${short}…` : short
}

/** First 200 characters on one line: control and bidirectional characters escaped (terminals obey them). */
export function excerpt(text: string): string {
  const line = text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (char) =>
    char === '\n' || char === '\r' || char === '\t' ? ' ' : `\\u{${char.codePointAt(0)?.toString(16)}}`,
  )
  const short = line.replace(/ +/g, ' ').trim()
  // Half a surrogate pair, which JSON can bring and a cut can make, is text that no database takes.
  return (short.length > 200 ? `${short.slice(0, 200)}…` : short).toWellFormed()
}
