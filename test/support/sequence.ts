import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** What takes minutes begins first, so that no core waits for it at the end. A fresh clone has no times to go by. */
const LONGEST = [
  'e2e/kill',
  'browser/nights',
  'e2e/accounts',
  'trust/',
  'e2e/',
  'browser/',
  'packages/',
  'examples/',
  'recorded/recorded',
  'mart/cases',
  'audit/rules',
  'audit/orders',
  'cli/own-',
  'cli/storage',
  'contract/',
  'load/evidence',
  'publish/',
  'simulate/',
]

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const rank = ({ moduleId }: TestSpecification): number => {
      const at = LONGEST.findIndex((part) => moduleId.includes(`/test/${part}`))
      return at < 0 ? LONGEST.length : at
    }
    return [...sorted].sort((a, b) => rank(a) - rank(b))
  }
}
