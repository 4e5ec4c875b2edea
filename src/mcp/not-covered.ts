import { isTimeframe } from 'candlehouse-foundation/market/timeframe'
import { withheldWords } from '../lake/withheld-rows.js'
import { computedFrom } from '../mart/objects.js'
import { datasets } from '../plan/datasets.js'
import { namesRead } from '../read/statement-names.js'
import type { StatementTree } from '../read/statement-tree.js'
import { relations } from '../relations.js'
import type { PublicationFacts } from './publication-facts.js'
import type { NotCovered } from './tool-answer.js'

const SHOWN = 8

/** Relations that have no dataset of their own, and the dataset that fills them. */
const FILLED_BY: Readonly<Record<string, string>> = {
  'market.security_history': 'securities',
  'market.security_daily': 'securities',
}

const SNAPSHOT = 'snapshot'

/** Stored relations that a statement reads, also through views of schema `mart`, sorted. */
export function relationsRead(tree: StatementTree): string[] {
  const read = namesRead(tree).flatMap((name) => [...computedFrom(name)])
  return [...new Set(read)].filter((name) => relations.some((relation) => relation.name === name)).sort()
}

/** What is not covered of the days and symbols that a statement names. */
export function notCovered(
  tree: StatementTree,
  read: readonly string[],
  facts: PublicationFacts,
): NotCovered {
  const names = new Set(read.flatMap(datasetOf))
  const days = tree.texts
    .map((text) => /^\d{4}-\d{2}-\d{2}/.exec(text)?.[0])
    .filter((day) => day !== undefined)
  const symbols = new Set(tree.texts.filter((text) => facts.keys.has(text)))
  const timeframes = new Set<string>(tree.texts.filter((text) => isTimeframe(text)))
  const [from = '', to = '9999-12-31'] = days.length === 0 ? [] : rangeOf(days, facts)
  const isOfQuestion = ({ dataset, timeframe }: { dataset: string; timeframe: string | null }): boolean =>
    names.has(dataset) &&
    (!timeframe || (timeframes.size === 0 ? timeframe === '1m' : timeframes.has(timeframe)))
  const isAsked = (gap: { dataset: string; timeframe: string; key?: string; day: string }): boolean =>
    isOfQuestion(gap) &&
    gap.day >= from &&
    gap.day <= to &&
    (gap.key === undefined || gap.key === '*' || symbols.size === 0 || symbols.has(gap.key))
  const gaps = facts.gaps.filter(isAsked)
  const missing = facts.missing.filter(isAsked)
  const withheld = facts.withheld.filter(
    ({ relation, tradingDate, keys }) =>
      read.includes(relation) &&
      tradingDate >= from &&
      tradingDate <= to &&
      (keys === null || symbols.size === 0 || keys.some((key) => symbols.has(key))),
  )
  const before = facts.datasets.filter(
    (dataset) =>
      isOfQuestion(dataset) &&
      days.length > 0 &&
      dataset.complete + dataset.imported > 0 &&
      from < dataset.from,
  )
  const shown = [
    ...before.map(
      ({ dataset, timeframe, from: first }) =>
        `${[dataset, timeframe].filter(Boolean).join(' ')}: nothing is stored before ${first}`,
    ),
    ...withheld.map(
      (each) => `withheld by rule ${each.rule}, shown as published before: ${withheldWords(each)}`,
    ),
    ...gaps.map(
      ({ dataset, key, timeframe, day, reason }) =>
        `${[dataset, timeframe, key].filter((word) => word !== '' && word !== '*').join(' ')} ${day}: ${reason}`,
    ),
    ...missing.map(
      ({ dataset, timeframe, day }) =>
        `${[dataset, timeframe].filter(Boolean).join(' ')} ${day}: never requested`,
    ),
  ]
  return {
    range: days.length === 0 ? 'all stored sessions' : `${from}..${to}`,
    gaps: gaps.length + missing.length + before.length,
    withheld: withheld.length,
    shown: shown.slice(0, SHOWN).map((words) => words.slice(0, 300)),
  }
}

/** From the first day to the last that is named; one day alone may begin a range that ends with the newest session. */
function rangeOf(days: readonly string[], { publication }: PublicationFacts): [string, string] {
  const sorted = [...days].sort()
  const first = sorted[0] ?? ''
  const last = sorted.at(-1) ?? ''
  return [
    first,
    days.length === 1 && (publication.latest_session ?? '') > last
      ? (publication.latest_session ?? '')
      : last,
  ]
}

function datasetOf(relation: string): string[] {
  if (relation.startsWith('account.')) return [SNAPSHOT]
  const filled = FILLED_BY[relation]
  if (filled !== undefined) return [filled]
  return Object.values(datasets)
    .filter((dataset) => dataset.relation === relation)
    .map(({ name }) => name)
}
