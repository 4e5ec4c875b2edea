import { FIRST_OWN_RULE } from '../audit/own-rule.js'
import type { Severity } from '../audit/rule.js'

/** What the head of a rule of the user's own states: lines of the form `-- severity: warn`. */
export interface RuleHead {
  readonly number: number
  readonly title: string
  readonly severity: Severity
  readonly about: 'market' | 'accounts'
  /** Calendar days before the session that it reads. */
  readonly back: number
  readonly needs: string
  readonly why: string
}

/** The rules of the package look back no further: what a late page changes is checked again as far as that. */
const MOST_BACK = 45

const KEYS = ['rule', 'title', 'severity', 'about', 'reach', 'needs', 'why'] as const

/** @returns the head, or what is wrong with it and what to write */
export function ruleHeadOf(text: string): RuleHead | { readonly wrong: string; readonly next: string } {
  const stated = statedOf(text)
  const wrong = (words: string, next: string) => ({ wrong: words, next })
  const { rule, title, severity, about = 'market', reach = 'back 0 days' } = stated
  const number = Number(rule)
  if (!Number.isInteger(number) || number < FIRST_OWN_RULE || number > 999_999)
    return wrong(
      `its head states no number of its own: rule ${rule ?? 'is missing'}`,
      `write a line -- rule: ${FIRST_OWN_RULE}, or a higher number: lower ones are the rules of candlehouse`,
    )
  if (!title) return wrong('its head states no title', 'write a line -- title: what should hold')
  if (severity !== 'error' && severity !== 'warn')
    return wrong(
      `its severity is ${severity ?? 'missing'}`,
      'write -- severity: warn, or -- severity: error to withhold the rows that break it from readers',
    )
  if (about !== 'market' && about !== 'accounts')
    return wrong(`it is about ${about}`, 'write -- about: market, or -- about: accounts')
  const [, days] = /^back (\d+) days?$/.exec(reach) ?? []
  if (days === undefined || Number(days) > MOST_BACK)
    return wrong(`its reach is ${reach}`, `write -- reach: back N days, with at most ${MOST_BACK}`)
  const { needs = 'rows that it can check', why = '' } = stated
  return { number, title, severity, about, back: Number(days), needs, why }
}

function statedOf(text: string): Partial<Record<(typeof KEYS)[number], string>> {
  const head: Partial<Record<string, string>> = {}
  let last: string | undefined
  for (const line of text.split('\n')) {
    if (!line.startsWith('--')) break
    const [, key, value] = /^--\s*(\w+):\s*(.*)$/.exec(line) ?? []
    const known = KEYS.find((each) => each === key)
    if (known) head[known] = value?.trim() ?? ''
    else if (last !== undefined && line.slice(2).trim() !== '')
      head[last] = `${head[last]} ${line.slice(2).trim()}`
    last = known ?? (line.slice(2).trim() === '' ? undefined : last)
  }
  return head
}
