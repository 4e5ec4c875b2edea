import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { packageRoot } from '../../src/package.js'

const page = (name: string): string => readFileSync(join(packageRoot, 'docs', name), 'utf8')

interface Question {
  readonly number: number
  readonly text: string
  readonly answer: string
}

const questions: Question[] = [...page('questions.md').matchAll(/^\| (\d+) +\| (.*?) +\| (.*?) +\|$/gm)].map(
  ([, number, text = '', answer = '']) => ({ number: Number(number), text, answer }),
)

/** Titles of the console's pages, and the headings of the cookbook with a statement, by their anchors. */
const consolePages = new Set(
  [...page('console.md').matchAll(/^\| ([A-Z][a-z]+|SQL) +\| /gm)].map(([, title]) => title),
)
const statements = new Map(
  page('cookbook.md')
    .split(/^### /m)
    .slice(1)
    .filter((part) => part.includes('```sql'))
    .map((part) => {
      const [heading = ''] = part.split('\n')
      const anchor = heading
        .toLowerCase()
        .replace(/[^\w\s-]/g, '')
        .trim()
        .replaceAll(' ', '-')
      return [anchor, heading.split('.')[0]]
    }),
)

test('an analyst and an owner have twenty-five questions each, none twice', () => {
  const [, ofAnalyst = '', ofOwner = ''] = page('questions.md').split(/^## /m)
  for (const part of [ofAnalyst, ofOwner]) expect(part.match(/^\| \d+ /gm)).toHaveLength(25)
  expect(questions.map(({ number }) => number)).toEqual(Array.from({ length: 50 }, (_, index) => index + 1))
  expect(new Set(questions.map(({ text }) => text)).size).toBe(50)
})

test.each(questions)('$text: a page or a statement that exists answers it', ({ answer }) => {
  const links = [...answer.matchAll(/\[([^\]]+)\]\(([^)]+)\)/g)].map(([, label = '', target = '']) => ({
    label,
    target,
  }))
  expect(links.length).toBeGreaterThan(0)
  for (const { label, target } of links) {
    const [file, fragment = ''] = target.split('#')
    if (file === 'cookbook.md') expect(`statement ${statements.get(fragment)}`).toBe(label)
    else if (file === 'console.md') expect(consolePages).toContain(label)
    else expect(page(file ?? '').length).toBeGreaterThan(0)
  }
})
