import { readRules } from '../audit/rule.js'
import { martObjects } from '../mart/objects.js'

/** A rule as its file states it, without its query. */
export interface StatedRule {
  number: number
  title: string
  severity: string
  about: string
  needs: string
  why: string
  tolerance: string
}

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
export interface LineageNode {
  name: string
  kind: string
  reads: readonly string[]
}

export function lineage(): LineageNode[] {
  return martObjects().map(({ name, kind, reads }) => ({ name: `mart.${name}`, kind, reads }))
}
