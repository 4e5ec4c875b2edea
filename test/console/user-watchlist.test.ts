import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../support/folder.js'
import { serve } from './support/served.js'

test('a watchlist is a file of the user, kept as a list and edited by hand', async () => {
  const folder = temporaryFolder()
  const environment = { XDG_STATE_HOME: folder, XDG_DATA_HOME: folder }
  const console = await serve(temporaryFolder(), { keeping: { environment, clean: (text) => text } })
  const list = async (): Promise<unknown> => (await console.ask('/api/watchlist')).json<unknown>()
  expect(await list()).toEqual([])
  const body = { symbols: ['FPT', ' VN30 ', 'FPT', 'a,b', 'a\nb', ''] }
  expect((await console.ask('/api/watchlist', { body })).json<unknown>()).toEqual(['FPT', 'VN30'])
  const file = join(folder, 'candlehouse', 'watchlist')
  expect([readFileSync(file, 'utf8'), statSync(file).mode & 0o777]).toEqual(['FPT\nVN30\n', 0o600])
  writeFileSync(file, 'HPG\r\n\n  VNM\n')
  expect(await list()).toEqual(['HPG', 'VNM'])
  const many = { symbols: Array.from({ length: 201 }, (_, index) => `S${index}`) }
  for (const refused of [{}, { symbols: 'FPT' }, { symbols: [1] }, many])
    expect((await console.ask('/api/watchlist', { body: refused })).status).toBe(400)
  expect(await list()).toEqual(['HPG', 'VNM'])
})

test('a console without files of a user has an empty watchlist and keeps none', async () => {
  const console = await serve(temporaryFolder())
  expect((await console.ask('/api/watchlist')).json<unknown>()).toEqual([])
  expect((await console.ask('/api/watchlist', { body: { symbols: ['FPT'] } })).status).toBe(409)
})
