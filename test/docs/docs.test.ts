import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { packageRoot } from '../../src/package.js'
import { relations } from '../../src/relations.js'
import { withEmptyCatalog } from './catalog.js'
import { definitionsPage } from './definitions.js'
import { dictionary } from './dictionary.js'
import { lineage } from './lineage.js'
import { llmsPage } from './llms-page.js'
import { rulebookPage } from './rulebook-page.js'
import { rulesPage } from './rules-page.js'

const page = (name: string): string => readFileSync(join(packageRoot, 'docs', name), 'utf8')

test('docs/dictionary.md says what the catalog says: make docs writes it anew', async () => {
  expect(page('dictionary.md')).toBe(await withEmptyCatalog(dictionary))
})

test('docs/definitions.md says what the comments say, in at most 4 KB: make docs writes it anew', async () => {
  expect(page('definitions.md')).toBe(await withEmptyCatalog(definitionsPage))
  expect(Buffer.byteLength(page('definitions.md'))).toBeLessThanOrEqual(4_096)
})

test('llms.txt names every page of docs/: make docs writes it anew', () => {
  expect(page('../llms.txt')).toBe(llmsPage())
})

test('docs/lineage.md draws what the SQL reads: make docs writes it anew', () => {
  expect(page('lineage.md')).toBe(lineage())
})

test('docs/rulebook.md has the rules of data/reference: make docs writes it anew', () => {
  expect(page('rulebook.md')).toBe(rulebookPage())
})

test('docs/rules.md has the heads of sql/rules, with what was measured: make docs writes it anew', () => {
  expect(page('rules.md')).toBe(rulesPage())
})

test('every relation of the catalog and every column of it is in the dictionary, with words', async () => {
  const text = page('dictionary.md')
  const missing = relations.filter(({ name }) => !text.includes(`### ${name}\n`))
  expect(missing.map(({ name }) => `${name} is missing: make docs`)).toEqual([])
  const silent = text.split('\n').filter((line) => /^\| `.*\|\s*\|$/.test(line))
  expect(silent.map((line) => `${line}: COMMENT ON COLUMN in sql, then make docs`)).toEqual([])
})
