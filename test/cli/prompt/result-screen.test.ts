import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Pager, PagerLeft, pagerCommand } from '../../../src/cli/prompt/pager.js'
import { ResultScreen, type Screen } from '../../../src/cli/prompt/result-screen.js'
import { temporaryFolder } from '../../support/folder.js'

/** A screen of ten lines, and where its text went. */
function screen({ hasPager = true } = {}): Screen & { shown: string[]; paged: string[] } {
  const shown: string[] = []
  const paged: string[] = []
  return {
    shown,
    paged,
    columns: 40,
    rows: 10,
    numbers: 'grouped',
    write: async (text) => void shown.push(text),
    openPager: () =>
      hasPager
        ? { write: async (text) => void paged.push(text), end: async () => void paged.push('(left)') }
        : undefined,
  }
}

const column = [{ name: 'n', type: 'INTEGER' }]
const rows = (count: number): number[][] => Array.from({ length: count }, (_, index) => [index])

test('a result that fits is shown on the screen', async () => {
  const on = screen()
  const result = new ResultScreen(on, 'auto')
  result.begin(column)
  await result.add(rows(6))
  await result.end()
  expect(on.shown.join('')).toBe('n\n─\n0\n1\n2\n3\n4\n5\n')
  expect(on.paged).toEqual([])
})

test('a longer one goes through the pager, complete, as its chunks arrive', async () => {
  const on = screen()
  const result = new ResultScreen(on, 'auto')
  result.begin(column)
  await result.add(rows(6))
  expect([on.shown, on.paged]).toEqual([[], []])
  await result.add(rows(6))
  await result.add(rows(2))
  await result.end()
  expect(on.shown).toEqual([])
  expect(on.paged.join('').split('\n')).toHaveLength(2 + 14 + 1)
  expect(on.paged.at(-1)).toBe('(left)')
  expect(result.rows).toBe(14)
})

test('where there is no pager, everything is shown on the screen', async () => {
  const on = screen({ hasPager: false })
  const result = new ResultScreen(on, 'csv')
  result.begin(column)
  await result.add(rows(100))
  await result.end()
  expect(on.shown.join('').split('\r\n')).toHaveLength(102)
})

test('lines that are longer than the screen count as several', async () => {
  const on = screen()
  const result = new ResultScreen(on, 'json')
  result.begin([{ name: 'long', type: 'VARCHAR' }])
  await result.add([['x'.repeat(400)]])
  await result.end()
  expect(on.paged.join('')).toContain('x'.repeat(400))
})

test('$PAGER is used, an empty one is none, and less is used where it is installed', () => {
  const folder = temporaryFolder()
  expect(pagerCommand({ PAGER: 'more -d', PATH: folder })).toBe('more -d')
  expect(pagerCommand({ PAGER: ' ', PATH: folder })).toBeUndefined()
  expect(pagerCommand({ PATH: folder })).toBeUndefined()
  writeFileSync(join(folder, 'less'), '')
  chmodSync(join(folder, 'less'), 0o700)
  expect(pagerCommand({ PATH: folder })).toBe('less -FRSX')
})

test('a pager that the person leaves stops the result', async () => {
  const pager = new Pager('head -n 1 > /dev/null', { PATH: process.env.PATH })
  const writeOn = async (): Promise<void> => {
    for (;;) await pager.write('line\n'.repeat(10_000))
  }
  await expect(writeOn()).rejects.toThrow(PagerLeft)
})
