import { type Rule, readRules } from '../audit/rule.js'
import { type MartObject, martObjects } from '../mart/objects.js'
import { statedOwnRules } from '../mine/stated-rules.js'

/** A rule as its file states it, without its query. */
export type StatedRule = Pick<Rule, 'number' | 'title' | 'severity' | 'about' | 'needs' | 'why' | 'tolerance'>

/** The rules of the package, then those of the user's own. */
export function statedRules(home: string): StatedRule[] {
  const packaged = readRules().map(({ number, title, severity, about, needs, why, tolerance }) => ({
    number,
    title,
    severity,
    about,
    needs,
    why,
    tolerance,
  }))
  return [...packaged, ...statedOwnRules(home)]
}

/** A view, macro or table of schema `mart`, and what it reads. */
export type LineageNode = Pick<MartObject, 'name' | 'kind' | 'reads'>

export function lineage(): LineageNode[] {
  return martObjects().map(({ name, kind, reads }) => ({ name: `mart.${name}`, kind, reads }))
}
