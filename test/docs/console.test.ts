import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { packageRoot } from '../../src/package.js'

const read = (path: string): string => readFileSync(join(packageRoot, path), 'utf8')

test('every page of the console is opened in a browser, and described unless it is reached from others only', () => {
  const pages = [
    ...read('src/console/pages/main.tsx').matchAll(/name: '(\w+)',\s+title: '(\w+)',(\s+isHidden)?/g),
  ].map(([, name = '', title = '', hidden]) => ({ name, title, isHidden: hidden !== undefined }))
  expect(pages.length).toBeGreaterThan(5)
  const opened = read('test/browser/console.test.ts')
  const shown = read('docs/console.md')
  const missing = pages.flatMap(({ name, title, isHidden }) => [
    ...(new RegExp(`^  '${name}\\b`, 'm').test(opened)
      ? []
      : [`no browser opens ${name}: add its address to PAGES of test/browser/console.test.ts`]),
    ...(isHidden || new RegExp(`^\\| ${title} +\\|`, 'm').test(shown)
      ? []
      : [`docs/console.md does not describe ${title}: add it to the table of pages`]),
  ])
  expect(missing).toEqual([])
})
