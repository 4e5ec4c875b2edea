import { lakeMarts, relations } from '../relations.js'

const SCHEMA = 'mart.'

/** Names of the views that can be tables of the lake, without their schema. */
export function martNames(): string[] {
  return lakeMarts.map(({ name }) => name.slice(SCHEMA.length))
}

/** Those that are published where nothing is set. */
export function defaultMarts(): string[] {
  return lakeMarts.filter(({ isDefault }) => isDefault).map(({ name }) => name.slice(SCHEMA.length))
}

/**
 * The views that a value names: `all`, `none`, or names with commas, with or without their schema. Materialized tables of
 * schema `mart` are always in the lake: naming one changes nothing.
 */
export function namedMarts(value: string): { names: string[]; unknown: string[] } {
  const words = value
    .split(',')
    .map((word) =>
      word
        .trim()
        .toLowerCase()
        .replace(/^mart\./, ''),
    )
    .filter((word) => word !== '')
  if (words.length === 1 && words[0] === 'none') return { names: [], unknown: [] }
  if (words.length === 1 && words[0] === 'all') return { names: martNames(), unknown: [] }
  const known = martNames()
  const isKept = (word: string): boolean => relations.some(({ name }) => name === `${SCHEMA}${word}`)
  return {
    names: known.filter((name) => words.includes(name)),
    unknown: words.filter((word) => !known.includes(word) && !isKept(word)),
  }
}
