/** A JSON string, which stays unchanged, a number, which becomes a string, and where an object begins and ends. */
const TOKENS = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|[{}]/g

/** What a name of a second member of its object ends with: no field of the API does. */
const AGAIN = '\0'

/**
 * JSON.parse with numbers as their source text: `1234.0` stays `1234.0`, 20 digits stay 20 digits (as doubles
 * they would be rounded). JSON.parse keeps the last of two members of one name; here both stay, under names that `nameOf` reads.
 */
export function parseKeepingNumbers(text: string): unknown {
  /** Names of the objects that are open, outermost first. */
  const open: Set<string>[] = []
  return JSON.parse(
    text.replace(TOKENS, (token, at: number) => {
      if (token === '{') open.push(new Set())
      else if (token === '}') open.pop()
      else if (!token.startsWith('"')) return `"${token}"`
      else if (isFollowedByColon(text, at + token.length)) return uniqueName(token, open.at(-1))
      return token
    }),
  ) as unknown
}

/** The name of a member as the service wrote it, without the mark of a second one of that name. */
export function nameOf(key: string): string {
  return key.endsWith(AGAIN) ? key.slice(0, -1) : key
}

/** A second member of a name gets another one, so that JSON.parse keeps both. */
function uniqueName(token: string, names: Set<string> | undefined): string {
  const name = JSON.parse(token) as string
  if (names?.has(name)) return JSON.stringify(name + AGAIN)
  names?.add(name)
  return token
}

function isFollowedByColon(text: string, at: number): boolean {
  let next = at
  while (/\s/.test(text[next] ?? '')) next++
  return text[next] === ':'
}
