/**
 * Text as one word of a POSIX shell, which passes it on as it is: commands that are shown to be typed may hold whatever a
 * service or a user named something. Characters that act on a terminal are written in the `$'…'` of bash and zsh.
 */
export function shellWord(text: string): string {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text
  if (!HIDDEN.test(text)) return `'${text.replaceAll("'", `'\\''`)}'`
  const escaped = text
    .replaceAll(/[\\']/g, '\\$&')
    .replaceAll(new RegExp(HIDDEN, 'gu'), (char) => escapeOf(char.codePointAt(0) ?? 0))
  return `$'${escaped}'`
}

const HIDDEN = /[\p{Cc}\p{Cf}\u2028\u2029]/u

function escapeOf(code: number): string {
  const digits = code.toString(16)
  return code > 0xffff ? `\\U${digits.padStart(8, '0')}` : `\\u${digits.padStart(4, '0')}`
}
