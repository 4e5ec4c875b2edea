/** The text with control and bidirectional characters escaped, except line ends and tabs: terminals and pages act on them. */
export function visible(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (char) =>
    char === '\n' || char === '\t' ? char : `\\u{${char.codePointAt(0)?.toString(16)}}`,
  )
}
