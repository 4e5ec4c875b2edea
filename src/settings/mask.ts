/** A value as it may be shown, and the parts of it that must appear nowhere. */
export interface Masked {
  readonly shown: string
  readonly secrets: readonly string[]
}

const MASK = '********'

/** A shorter part of a path is rather a word than a token: `services`. */
const SHORTEST_TOKEN = 12

/** All of a value. */
export function maskedWhole(value: string): Masked {
  return { shown: MASK, secrets: [value] }
}

/** The user and password of an address, wherever it stands in the value. */
export function maskedPassword(value: string): Masked {
  const [, password] = /\/\/[^/@:]*:([^/@]*)@/.exec(value) ?? []
  return { shown: value.replace(/\/\/[^/@]*@/, `//${MASK}@`), secrets: password ? [password] : [] }
}

/** All of an address but its host: webhooks have their token in the path or in the query. */
export function maskedAddress(value: string): Masked {
  if (!URL.canParse(value)) return maskedWhole(value)
  const { protocol, host, username, pathname, search } = new URL(value)
  const isBare = pathname === '/' && search === '' && username === ''
  return {
    shown: isBare ? `${protocol}//${host}` : `${protocol}//${host}/${MASK}`,
    secrets: [...(isBare ? [] : [`${pathname}${search}`]), ...tokensOf(value)],
  }
}

/**
 * Parts of an address that may be tokens, and its password. A user that has a password is a word, as `candlehouse`, that messages
 * need; alone it is the token.
 */
function tokensOf(address: string): string[] {
  const { username, password, pathname, searchParams } = new URL(address)
  const parts = [username, ...pathname.split('/'), ...searchParams.values()]
  return [...parts.filter((part) => part.length >= SHORTEST_TOKEN), password || username].filter(Boolean)
}

/** An address within a command, up to what a shell ends a word with. */
const ADDRESS = /https?:\/\/[^\s'"`<>|;()]+/g

/** A path within a command: a token has no name of a folder, which messages about the home may have to show. */
const PATH = /(?<![^\s'"`=(|;&<>])(?:\.{1,2}|~|\$\w+|\$\{\w+\})?\/[^\s'"`<>|;()&]+/g

/** Letters and digits together, as long as few words are: what stands behind `Bearer`. */
const TOKEN = /(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w-]{20,}/g

/** All of a command but its program: its arguments may have a token, which the command itself may print. */
export function maskedCommand(value: string): Masked {
  const [program = '', ...rest] = value.trim().split(/\s+/)
  const addresses = (value.match(ADDRESS) ?? []).filter((address) => URL.canParse(address))
  const others = value.replace(ADDRESS, ' ').replace(PATH, ' ')
  const secrets = [...addresses.flatMap(tokensOf), ...(others.match(TOKEN) ?? [])]
  if (program.includes('=')) return { shown: MASK, secrets }
  return { shown: rest.length > 0 ? `${program} ${MASK}` : program, secrets }
}
