import { describe, expect, test } from 'vitest'
import type { Row } from '../../src/console/pages/api.js'
import { coverageAddress, coverageViewOf, coveredSymbols } from '../../src/console/pages/coverage-view.js'
import { dictionaryAddress, searchDictionary } from '../../src/console/pages/dictionary-search.js'
import { byRule, findingAddress, findingViewOf, foundFindings } from '../../src/console/pages/finding-list.js'
import { newsLines, newsSince } from '../../src/console/pages/news.js'

/** The words that a page gets for an address of its own. */
function wordsOf(address: string): string[] {
  return address
    .replace(/^#\/\w+\/?/, '')
    .split('/')
    .map(decodeURIComponent)
}

describe('an address has all that its page shows', () => {
  test.each([
    { rule: '5', state: 'soft', find: 'A, 50 % / b', page: 3 },
    { rule: 'all', state: '', find: '', page: 1 },
    { rule: 'all', state: 'break', find: 'FPT', page: 1 },
  ])('findings %j', (shown) => {
    expect(findingViewOf(wordsOf(findingAddress(shown)))).toEqual(shown)
  })

  test.each([
    { symbol: '', find: '', kind: '', withGaps: false, withGone: false },
    { symbol: 'A/B', find: '41I1', kind: 'future', withGaps: true, withGone: true },
    { symbol: '', find: '', kind: '', withGaps: false, withGone: true },
  ])('coverage %j', (shown) => {
    expect(coverageViewOf(wordsOf(coverageAddress(shown)))).toEqual(shown)
  })

  test('a search of the dictionary', () => {
    expect(wordsOf(dictionaryAddress('mart.daily', 'a/b c'))).toEqual(['mart.daily', 'a/b c'])
  })

  test('what it cannot mean is left out', () => {
    expect(findingViewOf(['5', 'state:odd,find:%', '-2'])).toEqual({
      rule: '5',
      state: '',
      find: '%',
      page: 1,
    })
  })
})

describe('findings', () => {
  const finding = (rule: number, state: string, day: string, subject = 'market', offenders = 1): Row => ({
    rule,
    state,
    trading_date: day,
    subject,
    title: `title ${rule}`,
    severity: 'warn',
    offenders,
    note: null,
  })
  const rows = [
    finding(7, 'pass', '2025-03-14', 'market', 0),
    finding(5, 'soft', '2025-03-12'),
    finding(5, 'pass', '2025-03-14', 'market', 0),
    finding(25, 'soft', '2025-03-13', '0881234561', 4),
    finding(1, 'break', '2025-03-11'),
  ]

  test('of one rule are one group with its worst state; the worst and then the newest come first', () => {
    expect(
      byRule(rows).map(({ rule, state, lastDate, counts, offenders }) => [
        rule,
        state,
        lastDate,
        counts,
        offenders,
      ]),
    ).toEqual([
      [1, 'break', '2025-03-11', { break: 1 }, 1],
      [5, 'soft', '2025-03-14', { soft: 1, pass: 1 }, 1],
      [25, 'soft', '2025-03-13', { soft: 1 }, 4],
      [7, 'pass', '2025-03-14', { pass: 1 }, 0],
    ])
  })

  test('are found by state, and by words of their rule, subject or session', () => {
    const found = (filters: string) =>
      foundFindings(rows, findingViewOf(['all', filters])).map(({ rule }) => rule)
    expect(found('state:soft')).toEqual([5, 25])
    expect(found('find:088')).toEqual([25])
    expect(found('state:soft,find:2025-03-12')).toEqual([5])
    expect(found('find:title 2')).toEqual([25])
  })
})

describe('coverage', () => {
  const symbols: Row[] = [
    { symbol: 'FPT', kind: 'stock', is_listed: true, letters: 'cc' },
    { symbol: 'HPG', kind: 'stock', is_listed: true, letters: 'ci' },
    { symbol: 'OLD', kind: 'stock', is_listed: false, letters: 'i-' },
    { symbol: '41I1FB000', kind: 'future', is_listed: false, letters: 'cc' },
  ]
  const covered = (...words: string[]) => {
    const { shown, goneCount } = coveredSymbols(symbols, coverageViewOf(words))
    return [shown.map(({ symbol }) => symbol), goneCount]
  }

  test('folds away what expired or left, unless the address names it or asks for all', () => {
    expect(covered()).toEqual([['FPT', 'HPG'], 2])
    expect(covered('OLD')).toEqual([['FPT', 'HPG', 'OLD'], 2])
    expect(covered('', 'gone')).toEqual([['FPT', 'HPG', 'OLD', '41I1FB000'], 2])
  })

  test('folds nothing away where no list names any symbol', () => {
    const unlisted = symbols.map((row) => ({ ...row, is_listed: false }))
    expect(coveredSymbols(unlisted, coverageViewOf([]))).toEqual({ shown: unlisted, goneCount: 0 })
  })

  test('is filtered by a part of the symbol, the kind, and incomplete sessions', () => {
    expect(covered('', 'find:pg')).toEqual([['HPG'], 0])
    expect(covered('', 'kind:future,gone')).toEqual([['41I1FB000'], 1])
    expect(covered('', 'gaps')).toEqual([['HPG'], 1])
  })
})

test('the dictionary is searched in names and comments: names of relations first, then of columns, then comments', () => {
  const relations: Row[] = [
    { relation: 'market.candle', comment: 'One row per bar.' },
    { relation: 'market.daily', comment: 'A volume per day.' },
    { relation: 'mart.volume_profile', comment: 'By minute.' },
    { relation: 'mart.fill', comment: 'What was bought.' },
  ]
  const column = (relation: string, name: string, comment: string): Row => ({ relation, name, comment })
  const columns = [
    column('market.candle', 'volume', 'Shares.'),
    column('mart.fill', 'quantity', 'A Volume of shares.'),
    column('mart.fill', 'symbol', 'Symbol.'),
  ]
  const found = (wanted: string) =>
    searchDictionary(relations, columns, wanted).map(({ relation, columns: shown }) => [
      relation,
      ...shown.map(({ name }) => name),
    ])
  expect(found('volume')).toEqual([
    ['mart.volume_profile'],
    ['market.candle', 'volume'],
    ['market.daily'],
    ['mart.fill', 'quantity'],
  ])
  expect(found('volume shares')).toEqual([
    ['market.candle', 'volume'],
    ['mart.fill', 'quantity'],
  ])
  expect(found('  ')).toHaveLength(4)
  expect(found('no such words')).toEqual([])
})

test('news name what is new, where it leads, and how much more there is', () => {
  const rows: Row[] = [
    {
      kind: 'fill',
      count: '3',
      names: ['FPT', 'HPG'],
      name_count: '5',
      day: '2025-03-14',
      before: '2025-03-13',
    },
    { kind: 'not known', count: '1', names: null, name_count: '0' },
  ]
  const [line, ...others] = newsLines(rows)
  expect(others).toEqual([])
  expect(line).toMatchObject({ title: 'Own trades', words: '3 orders', more: 3 })
  expect(line?.names[0]).toEqual({ name: 'FPT', href: '#/chart/FPT/1d' })
  expect(decodeURIComponent(line?.href ?? '')).toContain(
    "trading_date > '2025-03-13' and trading_date <= '2025-03-14'",
  )
  expect([newsSince(rows), newsSince([])]).toEqual(['since the night of 2025-03-13', 'the first night'])
})
