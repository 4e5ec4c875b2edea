/**
 * Fields of the API that hold words for people, in lower case: names, messages, descriptions. Half a surrogate pair or a NUL
 * in one of them costs a character. In any other field (keys, codes, numbers, times) it costs the record, since it would
 * make another key.
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
  if (text.isWellFormed() && !text.includes('\0')) return text
  if (!FREE_TEXT.has(field.toLowerCase())) return undefined
  return text.toWellFormed().replaceAll('\0', '\ufffd')
}
