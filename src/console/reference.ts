import { type Rule, readRules } from '../audit/rule.js'
import { type MartObject, martObjects } from '../mart/objects.js'

/** A rule as its file states it, without its query. */
export type StatedRule = Pick<Rule, 'number' | 'title' | 'severity' | 'about' | 'needs' | 'why' | 'tolerance'>

export function statedRules(): StatedRule[] {
  return readRules().map(({ number, title, severity, about, needs, why, tolerance }) => ({
    number,
    title,
    severity,
    about,
    needs,
    why,
    tolerance,
  }))
}

/** A view, macro or table of schema `mart`, and what it reads. */
export type LineageNode = Pick<MartObject, 'name' | 'kind' | 'reads'>

export function lineage(): LineageNode[] {
  return martObjects().map(({ name, kind, reads }) => ({ name: `mart.${name}`, kind, reads }))
}
