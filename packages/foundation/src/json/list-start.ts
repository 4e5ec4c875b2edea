import { membersAt } from './members.js'
import { endOfValue, skipSpace } from './scan.js'

const OPEN_BRACKET = 0x5b

/**
 * Byte offset of the `[` of a page's record list: at the top, or in its `data`, by this exact name. Undefined where there is
 * none. Nothing behind it is looked at.
 *
 * @throws JsonFault where the text before the list is not JSON
 */
export function startOfList(text: Buffer): number | undefined {
  const top = skipSpace(text, 0)
  if (text[top] === OPEN_BRACKET) return top
  let list: number | undefined
  const members = membersAt(text, top, (_, start, name) => {
    if (name === 'data' && text[start] === OPEN_BRACKET) list = start
    return list ?? endOfValue(text, start)
  })
  for (const _ of members) if (list !== undefined) return list
  return undefined
}
