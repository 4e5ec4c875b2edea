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
  const { protocol, host, username, password, pathname, search, searchParams } = new URL(value)
  const parts = [...pathname.split('/'), ...searchParams.values()]
  const isBare = pathname === '/' && search === '' && username === ''
  return {
    shown: isBare ? `${protocol}//${host}` : `${protocol}//${host}/${MASK}`,
    secrets: [
      ...(isBare ? [] : [`${pathname}${search}`]),
      ...parts.filter((part) => part.length >= SHORTEST_TOKEN),
      ...[username, password].filter(Boolean),
    ],
  }
}

/** All of a command but its program: its arguments may have a token. */
export function maskedCommand(value: string): Masked {
  const [program = '', ...rest] = value.trim().split(/\s+/)
  if (program.includes('=')) return { shown: MASK, secrets: [] }
  return { shown: rest.length > 0 ? `${program} ${MASK}` : program, secrets: [] }
}
