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

/** Parts of an address that may be tokens, and its user and password. */
function tokensOf(address: string): string[] {
  const { username, password, pathname, searchParams } = new URL(address)
  const parts = [...pathname.split('/'), ...searchParams.values()]
  return [...parts.filter((part) => part.length >= SHORTEST_TOKEN), ...[username, password].filter(Boolean)]
}

/** An address within a command, up to what a shell ends a word with. */
const ADDRESS = /https?:\/\/[^\s'"`<>|;()]+/g

/** Letters and digits together, as long as no name of a file or a variable is: what stands behind `Bearer`. */
const TOKEN = /(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w-]{20,}/g

/** All of a command but its program: its arguments may have a token, which the command itself may print. */
export function maskedCommand(value: string): Masked {
  const [program = '', ...rest] = value.trim().split(/\s+/)
  const addresses = (value.match(ADDRESS) ?? []).filter((address) => URL.canParse(address))
  const secrets = [...addresses.flatMap(tokensOf), ...(value.replace(ADDRESS, ' ').match(TOKEN) ?? [])]
  if (program.includes('=')) return { shown: MASK, secrets }
  return { shown: rest.length > 0 ? `${program} ${MASK}` : program, secrets }
}
