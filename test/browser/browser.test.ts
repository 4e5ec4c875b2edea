import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../support/folder.js'
import { needsBrowser, openBrowser, openPage, violationsOf } from './support/browser.js'

test('what other tests of pages rely on is seen: requests elsewhere, errors, what axe-core refuses', async (context) => {
  needsBrowser(context)
  const file = join(temporaryFolder(), 'page.html')
  writeFileSync(
    file,
    '<!doctype html><html><title>x</title><img src="https://example.org/x.png"><script>throw new Error("oh")</script>',
  )
  const { page, errors, foreign } = await openPage(await openBrowser(), pathToFileURL(file).href)
  expect(foreign).toEqual(['https://example.org/x.png'])
  expect(errors).toContain('oh')
  const rules = (await violationsOf(page)).map((line) => line.split(':')[0])
  expect(rules).toContain('image-alt')
  expect(rules).toContain('html-has-lang')
})
