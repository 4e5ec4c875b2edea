/**
 * Fields of the API that hold words for people, in lower case: names, messages, descriptions. Half a surrogate pair in one
 * of them costs a character. In any other field (keys, codes, numbers, times) it costs the record: U+FFFD would make
 * another key.
 */
const FREE_TEXT: ReadonlySet<string> = new Set([
  'symbolnamevi',
  'symbolnameen',
  'icbname',
  'indexname',
  'message',
  'detail',
  'username',
  'operator',
  'action',
  'actionbroker',
])

/** Text of a field as a column can hold it; undefined where the record cannot be believed for it. */
export function storableText(field: string, text: string): string | undefined {
  if (text.isWellFormed()) return text
  return FREE_TEXT.has(field.toLowerCase()) ? text.toWellFormed() : undefined
}
