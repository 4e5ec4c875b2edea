import type { Rule } from '../audit/rule.js'
import { readOwnFiles } from './own-files.js'
import { type RuleHead, ruleHeadOf } from './rule-head.js'

/** A rule as its head states it. */
type Stated = Pick<Rule, 'number' | 'title' | 'severity' | 'about' | 'needs' | 'why' | 'tolerance'>

/** The title of a rule of the user's own in findings: nobody takes it for one of ours. */
export function ownRuleTitle(name: string, title: string): string {
  return `mine.${name}: ${title}`
}

/** The rules of the user's own whose heads can be read, in the order of their numbers. */
export function statedOwnRules(home: string): Stated[] {
  const { files } = readOwnFiles(home, ['rule'])
  return files
    .flatMap(({ name, text }) => {
      const head = ruleHeadOf(text)
      return 'wrong' in head ? [] : [statedOf(name, head)]
    })
    .sort((a, b) => a.number - b.number)
}

function statedOf(name: string, { back, title, ...head }: RuleHead): Stated {
  return { ...head, title: ownRuleTitle(name, title), tolerance: 'none' }
}
