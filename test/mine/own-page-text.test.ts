import { describe, expect, test } from 'vitest'
import type { PageNode } from '../../src/mine/own-pages/own-page.js'
import { readOwnPageText } from '../../src/mine/own-pages/own-page-text.js'

function fence(head: string, ...lines: string[]): string {
  return ['```'.concat(head), ...lines, '```', ''].join('\n')
}

function linksOf(nodes: readonly PageNode[]): (string | undefined)[] {
  return nodes.flatMap((node) =>
    typeof node === 'string' ? [] : [...(node.tag === 'a' ? [node.href] : []), ...linksOf(node.children)],
  )
}

function tagsOf(nodes: readonly PageNode[]): string[] {
  return nodes.flatMap((node) => (typeof node === 'string' ? [] : [node.tag, ...tagsOf(node.children)]))
}

function textOf(nodes: readonly PageNode[]): string {
  return nodes.map((node) => (typeof node === 'string' ? node : textOf(node.children))).join('')
}

function nodesOf(markdown: string): PageNode[] {
  return readOwnPageText('my_page', markdown).parts.flatMap((part) =>
    part.kind === 'text' ? part.nodes : [],
  )
}

describe('a page', () => {
  test('is text and blocks in the order of its file, with the lines of the statements', () => {
    const page = readOwnPageText(
      'my_page',
      `# My page\n\nOne.\n\n${fence('sql', '-- Closes', '-- of today', 'SELECT 1')}\nTwo.\n\n${fence('sql chart over=day value=close', 'SELECT 2')}`,
    )
    expect(page).toMatchObject({ name: 'my_page', title: 'My page' })
    expect(page.parts).toEqual([
      { kind: 'text', nodes: [{ tag: 'p', children: ['One.'] }] },
      {
        kind: 'block',
        block: {
          shownAs: 'table',
          title: 'Closes of today',
          sql: '-- Closes\n-- of today\nSELECT 1',
          line: 6,
        },
      },
      { kind: 'text', nodes: [{ tag: 'p', children: ['Two.'] }] },
      {
        kind: 'block',
        block: { shownAs: 'chart', title: 'Block 2', sql: 'SELECT 2', line: 14, over: 'day', value: 'close' },
      },
    ])
  })

  test('without a heading has the name of its file, and code that is not SQL is shown', () => {
    const page = readOwnPageText('my_page', fence('python', 'print(1)'))
    expect(page.title).toBe('my page')
    expect(tagsOf(nodesOf(fence('python', 'print(1)')))).toEqual(['pre', 'code'])
  })

  test.each([
    [fence('sql pie', 'SELECT 1'), 'a block is shown as table or chart, not as pie: write ```sql chart'],
    [fence('sql chart size=3', 'SELECT 1'), 'size=3 is not an option of a chart'],
    [fence('sql table over=a', 'SELECT 1'), 'over=a is not an option of a table'],
    [fence('sql', ''), 'the block has no statement'],
  ])('%j is wrong in words', (markdown, words) => {
    const [, part] = readOwnPageText('my_page', `One.\n\n${markdown}`).parts
    expect(part).toEqual({ kind: 'wrong', line: 3, words: expect.stringContaining(words) })
  })

  test('has at most thirty blocks, and says so once', () => {
    const { parts } = readOwnPageText('my_page', fence('sql', 'SELECT 1').repeat(40))
    expect(parts.map(({ kind }) => kind)).toEqual([...Array.from({ length: 30 }, () => 'block'), 'wrong'])
  })
})

describe('Markdown', () => {
  test('is lists, tables, stress, quotes and code', () => {
    const markdown =
      '## A\n\n- a *b* **c** ~~d~~ `e`\n- [x] f\n\n1. g\n\n> h\n\n| i | j |\n|---|---|\n| k | l |\n\n---\n\nm  \nn &amp; o'
    expect(new Set(tagsOf(nodesOf(markdown)))).toEqual(
      new Set('h3 ul li em strong del code ol blockquote p table thead tr th tbody td hr br'.split(' ')),
    )
    expect(textOf(nodesOf(markdown))).toContain('n & o')
  })

  test.each([
    '<script>alert(1)</script>',
    'a <img src=x onerror=alert(1)> b',
    '<iframe src="https://example.com"></iframe>',
    '<a href="javascript:alert(1)">x</a>',
    '<!-- comment -->',
    '<svg><style>x</style></svg>',
  ])('HTML is text: %s', (markdown) => {
    expect(textOf(nodesOf(markdown)).trim()).toBe(markdown)
    expect(tagsOf(nodesOf(markdown)).filter((tag) => tag !== 'p')).toEqual([])
  })

  test('links lead to web pages and to the console only, and pictures are their words', () => {
    const markdown = [
      '[a](https://example.com/?a=1&b=2)',
      '[b](#/chart/FPT)',
      '[c](javascript:alert(1))',
      '[d](JaVaScRiPt:alert(1))',
      '[e](data:text/html,x)',
      '[f](file:///etc/passwd)',
      '[g](//example.com)',
      '[h](/api/pages)',
      '[i][j]',
      '![k](https://example.com/x.png)',
      '',
      '[j]: vbscript:x',
    ].join('\n')
    expect(linksOf(nodesOf(markdown))).toEqual(['https://example.com/?a=1&b=2', '#/chart/FPT'])
    expect(textOf(nodesOf(markdown)).replaceAll('\n', '')).toBe('abcdefghik')
  })
})
