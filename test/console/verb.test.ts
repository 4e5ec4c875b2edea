import { readFileSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../support/folder.js'
import { cli } from '../support/program.js'
import { sharedHome } from '../support/shared-home.js'

const { home } = sharedHome()

/** Runs `console` until its page is opened: the opener reads the page, then stops the console as Ctrl-C does. */
async function opened(isBrowser: boolean) {
  const stop = new AbortController()
  const pages: { text: string; mode: number }[] = []
  const opener = async (file: URL): Promise<boolean> => {
    const path = fileURLToPath(file)
    pages.push({ text: readFileSync(path, 'utf8'), mode: statSync(path).mode & 0o777 })
    stop.abort()
    return isBrowser
  }
  const env = { CANDLEHOUSE_HOME: home }
  const at = { cwd: temporaryFolder(), env, opener, signal: stop.signal }
  return { ...(await cli(['console', '--json', '--open'], at)), pages }
}

test('console --json prints one line with address and token, and --open opens that address', async () => {
  const { stdout, stderr, pages, json } = await opened(true)
  expect(stdout).toMatch(/^\{.*\}\n$/)
  const { url, token, ...others } = json<{ url: string; token: string }>()
  expect(others).toEqual({})
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]{32}$/)
  expect(new URL(url).searchParams.get('token')).toBe(token)
  expect(pages).toEqual([{ text: expect.stringContaining(`content="0;url=${url}"`), mode: 0o600 }])
  expect(stderr).not.toContain('no browser')
})

test('without a browser it asks the user to open the address', async () => {
  expect((await opened(false)).stderr).toContain('no browser found: open the address yourself')
})
