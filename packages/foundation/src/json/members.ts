import { endOfString, endOfValue, skipSpace, startOfMember, unexpected } from './scan.js'

/** One member of an object: its name, and where its value stands. */
export interface Member {
  /** As JSON means it: escapes undone. */
  readonly name: string
  /** Byte offsets of the value: its first byte, and the one after its last. */
  readonly start: number
  readonly end: number
}

/** Proves a value and returns where it ends; `name` is the member it belongs to. */
export type ProveMember = (text: Buffer, start: number, name: string) => number

/**
 * Members of the object that opens at `at`, proven one by one as they are asked for. Returns the byte offset after the
 * object.
 *
 * @param at byte offset of `{`
 * @param prove how a value is proven, where a caller knows a cheaper way for one of them
 * @throws JsonFault, when the values before it have been given
 */
export function* membersAt(
  text: Buffer,
  at: number,
  prove: ProveMember = endOfValue,
): Generator<Member, number> {
  let position = skipSpace(text, at + 1)
  if (text[position] === 0x7d) return position + 1
  for (;;) {
    const nameEnd = endOfString(text, position)
    const name = JSON.parse(text.toString('utf8', position, nameEnd)) as string
    const start = startOfMember(text, position)
    const end = prove(text, start, name)
    yield { name, start, end }
    position = skipSpace(text, end)
    if (text[position] === 0x7d) return position + 1
    if (text[position] !== 0x2c) throw unexpected(text, position, "',' or '}'")
    position = skipSpace(text, position + 1)
  }
}

/**
 * Elements of the array that opens at `at`, one by one as they are asked for. Returns the byte offset after the array.
 *
 * @param at byte offset of `[`
 * @param prove how an element is proven
 * @throws JsonFault, when the elements before it have been given
 */
export function* elementsAt(
  text: Buffer,
  at: number,
  prove: (text: Buffer, start: number) => number = endOfValue,
): Generator<readonly [start: number, end: number], number> {
  let position = skipSpace(text, at + 1)
  if (text[position] === 0x5d) return position + 1
  for (;;) {
    const end = prove(text, position)
    yield [position, end]
    position = skipSpace(text, end)
    if (text[position] === 0x5d) return position + 1
    if (text[position] !== 0x2c) throw unexpected(text, position, "',' or ']'")
    position = skipSpace(text, position + 1)
  }
}

/**
 * Where the array stands that a member has, named in lower case and found in any case; undefined where the object has
 * none.
 *
 * @param at byte offset of the object's `{`
 */
export function arrayMember(text: Buffer, at: number, listName: string): Member | undefined {
  for (const member of membersAt(text, at)) {
    if (member.name.toLowerCase() === listName && text[member.start] === 0x5b) return member
  }
  return undefined
}
