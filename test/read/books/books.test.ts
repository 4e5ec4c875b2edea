import { spawnSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type BookFormat, bookText } from '../../../src/read/books/book-text.js'
import { readBooks } from '../../../src/read/books/books.js'
import { temporaryFolder } from '../../support/folder.js'
import { drawDefect, drawStory, evenings } from '../explain/evenings.js'
import { stored } from '../explain/stored.js'

const STORY = drawStory(7)

async function booksOf(defective = false) {
  const defect = defective ? drawDefect(STORY, 'wrong quantity', 5) : undefined
  const database = await stored(STORY, evenings(STORY, defect))
  const [books] = await readBooks((sql) => database.rows(sql))
  if (!books) throw new Error('no account')
  return { books, text: (format: BookFormat) => bookText(format, ['head'], books) }
}

/** Reads a beancount text again: what each account holds of each commodity, as every assertion is met. */
function replayed(text: string): { unbalanced: string[]; unmet: string[]; met: number } {
  const held = new Map<string, number>()
  const [unbalanced, unmet]: [string[], string[]] = [[], []]
  let [met, weight, about] = [0, 0, '']
  for (const line of text.split('\n')) {
    const posting = /^ {2}(\S+) {2}(-?[\d.]+) (\S+)(?: @@ ([\d.]+) VND)?$/.exec(line)
    const assertion = /^\d{4}-\d\d-\d\d balance (\S+) {2}(-?[\d.]+) (\S+)$/.exec(line)
    if (posting) {
      const [, account = '', amount = '', commodity = '', total] = posting
      held.set(`${account} ${commodity}`, (held.get(`${account} ${commodity}`) ?? 0) + Number(amount))
      weight += total === undefined ? Number(amount) : Math.sign(Number(amount)) * Number(total)
      continue
    }
    if (Math.abs(weight) > 0.001) unbalanced.push(about)
    weight = 0
    about = line
    if (!assertion) continue
    const [, account = '', amount = '', commodity = ''] = assertion
    const actual = held.get(`${account} ${commodity}`) ?? 0
    if (Math.abs(actual - Number(amount)) > 0.001) unmet.push(`${line}: ${actual}`)
    else met++
  }
  return { unbalanced, unmet, met }
}

describe('books of an account', () => {
  test('balance in every transaction, and hold what the service reports on every evening', async () => {
    const { books, text } = await booksOf()
    expect([books.stopped, books.upTo]).toEqual([null, STORY.days.at(-1)])
    const { unbalanced, unmet, met } = replayed(text('beancount'))
    expect([unbalanced, unmet]).toEqual([[], []])
    expect(met).toBe(books.assertions.length)
    expect(met).toBe((STORY.days.length - 1) * (5 + 5))
  })

  test('end before the first event that nothing explains', async () => {
    const { books, text } = await booksOf(true)
    expect(books.stopped).toMatch(/^fills, positions and cash part between the snapshots of 2025-/)
    expect(books.upTo).not.toBe(STORY.days.at(-1))
    expect(replayed(text('beancount'))).toMatchObject({ unbalanced: [], unmet: [] })
  })

  test('have names that both programs accept, whatever symbols and texts are', () => {
    const posting = { account: 'Assets:A', amount: 2, symbol: '41I1F4000', total: 250 }
    const money = { account: 'Assets:B', amount: -250, symbol: null }
    const books = {
      transactions: [{ day: '2025-03-14', text: 'buy "2";\nx|y', postings: [posting, money] }],
      assertions: [{ day: '2025-03-14', account: 'Assets:A', amount: 2, symbol: '41I1F4000' }],
    }
    expect(bookText('beancount', [], books)).toContain(
      '2025-03-14 * "buy  2   x y"\n  Assets:A  2 X41I1F4000 @@ 2.50 VND\n  Assets:B  -2.50 VND\n\n2025-03-15 balance Assets:A  2 X41I1F4000',
    )
    expect(bookText('hledger', [], books)).toContain(
      '2025-03-14 * balance\n    Assets:A  0 "41I1F4000" = 2 "41I1F4000"',
    )
  })
})

const beanCheck = join(dirname(process.env.PYTHON ?? ''), 'bean-check')
const CHECKERS = [
  { format: 'beancount', command: [beanCheck], exists: existsSync(beanCheck) },
  {
    format: 'hledger',
    command: ['hledger', 'check', '-f'],
    exists: spawnSync('hledger', ['--version']).status === 0,
  },
] as const

describe.each(CHECKERS)('$format', ({ format, command, exists }) => {
  const [program = '', ...args] = command
  const check = (text: string) => {
    const file = join(temporaryFolder(), `books.${format}`)
    writeFileSync(file, text)
    return spawnSync(program, [...args, file], { encoding: 'utf8' })
  }

  test.skipIf(!exists)(
    'accepts the books, and refuses them when a balance is another (skipped where it is not installed)',
    async () => {
      const text = (await booksOf()).text(format)
      const { status, stdout, stderr } = check(text)
      expect([status, stdout + stderr]).toEqual([0, expect.any(String)])
      expect(check(text.replace(/(@@ )(\d)/, '$11$2')).status).not.toBe(0)
    },
  )
})
