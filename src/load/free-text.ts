/**
 * Fields of the API with text for people, in lower case: names, messages, descriptions. Half a surrogate pair in one of them
 * becomes U+FFFD. In any other field (keys, codes, numbers, times) the record is rejected: U+FFFD would make another key.
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

/** Text of a field as a column can store it; undefined if the record is not valid because of it. */
export function storableText(field: string, text: string): string | undefined {
  if (text.isWellFormed()) return text
  return FREE_TEXT.has(field.toLowerCase()) ? text.toWellFormed() : undefined
}
