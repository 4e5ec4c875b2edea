import { sqlFile, sqlFiles } from '../duckdb/sqlfile.js'
import { restsOn } from '../mart/objects.js'
import { isOwnRule } from './own-rule.js'
import type { Rule } from './rule.js'

/** Folders of the tables that rules about the market read, in the order in which they are filled. */
export const EVIDENCE = ['audit', 'audit/answer', 'audit/market', 'audit/bar'] as const

/** What `sql/audit/inputs/session.sql` hashes. */
export const SOURCES = [
  'market.daily_summary',
  'market.price_limit',
  'market.index_summary',
  'market.index_member',
  'market.candle',
  'instrument',
  'audit_coverage',
  'audit_bar_coverage',
  'audit_page',
  'ops.coverage',
] as const
export type Source = (typeof SOURCES)[number]

/** Sources of which rules read days before the session too. */
export const LOOKED_BACK: ReadonlySet<Source> = new Set([
  'market.daily_summary',
  'market.price_limit',
  'market.index_summary',
  'ops.coverage',
])

/** Relations that are hashed under another name, where a statement reads them without the table of that name. */
const ELSEWHERE: Readonly<Record<string, readonly Source[]>> = {
  'market.security_history': ['instrument'],
  'ops.coverage': ['ops.coverage', 'audit_coverage'],
  'ops.request': ['audit_page'],
}

/** A file of `sql/audit`: the temp tables and views that it fills. */
interface Evidence {
  readonly file: string
  readonly names: readonly string[]
  readonly words: ReadonlySet<string>
}

let evidence: readonly Evidence[] | undefined

function evidenceFiles(): readonly Evidence[] {
  evidence ??= EVIDENCE.flatMap((folder) =>
    sqlFiles(folder).map((name) => {
      const file = `${folder}/${name}`
      const filled = sqlFile(file).matchAll(/^(?:CREATE OR REPLACE TEMP (?:TABLE|VIEW)|INSERT INTO) (\w+)/gm)
      return { file, names: [...filled].map(([, table = '']) => table), words: wordsOf(sqlFile(file)) }
    }),
  )
  return evidence
}

/** Names in a statement, with their schema, without those in comments and texts. */
function wordsOf(statement: string): ReadonlySet<string> {
  const plain = statement.replace(/--.*$/gm, '').replace(/'[^']*'/g, '')
  return new Set(plain.match(/\b(?:market|ops|account|mart|recon)\.\w+|\b[a-z_]\w*/g))
}

/** Files of `sql/audit` that fill the tables which rules read, and the tables which those read. */
export function evidenceOf(rules: readonly Rule[]): ReadonlySet<string> {
  const needed = new Set<string>()
  const add = (words: ReadonlySet<string>): void => {
    for (const { file, names, words: its } of evidenceFiles()) {
      if (needed.has(file) || !names.some((name) => words.has(name))) continue
      needed.add(file)
      add(its)
    }
  }
  for (const { query } of rules) add(wordsOf(query))
  return needed
}

const known = new Map<string, ReadonlySet<Source> | undefined>()

/** What a rule about the market reads, by its SQL; undefined where that cannot be known: of rules of the user's own. */
export function sourcesOf(rule: Rule): ReadonlySet<Source> | undefined {
  if (isOwnRule(rule)) return undefined
  if (!known.has(rule.query)) known.set(rule.query, readSources(rule))
  return known.get(rule.query)
}

function readSources(rule: Rule): ReadonlySet<Source> | undefined {
  const sources = new Set<Source>()
  const seen = new Set<string>()
  let isKnown = true
  const read = (words: ReadonlySet<string>): void => {
    for (const word of words) {
      if (seen.has(word)) continue
      seen.add(word)
      const elsewhere = ELSEWHERE[word]
      if (elsewhere) for (const source of elsewhere) sources.add(source)
      else if (isSource(word)) sources.add(word)
      else if (word.startsWith('mart.')) read(restsOn(word))
      else if (/^(?:market|ops|account|recon)\./.test(word)) isKnown = false
      else for (const { names, words: its } of evidenceFiles()) if (names.includes(word)) read(its)
    }
  }
  read(wordsOf(rule.query))
  return isKnown ? sources : undefined
}

function isSource(word: string): word is Source {
  return (SOURCES as readonly string[]).includes(word)
}
