import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { packageRoot } from '../../src/package.js'
import { textFiles } from './files.js'

test('pages count the rules as they are', () => {
  const rules = readdirSync(join(packageRoot, 'sql/rules')).filter((name) => name.endsWith('.sql')).length
  const counts = textFiles('README.md', 'docs').flatMap(({ path, text }) =>
    path.startsWith('docs/decisions/')
      ? []
      : [...text.matchAll(/\b(\d+) rules (?=compare|check)/g)].map(([, count]) => ({
          path,
          count: Number(count),
        })),
  )
  expect(counts.length).toBeGreaterThan(1)
  const wrong = counts.filter(({ count }) => count !== rules)
  expect(wrong.map(({ path, count }) => `${path} says ${count} rules: there are ${rules}`)).toEqual([])
})
