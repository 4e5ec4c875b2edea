import { lexer, type Token, type Tokens } from 'marked'
import type { OwnPage, PageBlock, PageElement, PageNode, PagePart, PageTag } from './own-page.js'

/** Blocks of one page: each is a statement that the report runs too. */
const MOST_BLOCKS = 30

/**
 * Reads the Markdown of a page. HTML in it is text like any other, pictures are their words, and links lead to web pages and
 * to places in the console only.
 */
export function readOwnPageText(name: string, text: string): OwnPage {
  const tokens = lexer(text.replace(/^\uFEFF/, ''))
  const isTitle = (token: Token): token is Tokens.Heading => token.type === 'heading' && token.depth === 1
  const heading = tokens.find(isTitle)
  const parts: PagePart[] = []
  let line = 1
  let blocks = 0
  for (const token of tokens) {
    if (isFence(token)) {
      blocks += 1
      const part = blocks > MOST_BLOCKS ? tooMany(line) : blockOf(token, line + 1, blocks)
      if (part.kind !== 'wrong' || blocks <= MOST_BLOCKS + 1) parts.push(part)
    } else if (token !== heading) addText(parts, nodeOf(token))
    line += token.raw.split('\n').length - 1
  }
  return { name, title: heading ? plainText(heading) : name.replaceAll('_', ' '), parts }
}

function tooMany(line: number): PagePart {
  return {
    kind: 'wrong',
    line,
    words: `a page has at most ${MOST_BLOCKS} blocks of SQL: the rest is left out`,
  }
}

function addText(parts: PagePart[], nodes: readonly PageNode[]): void {
  const last = parts.at(-1)
  if (nodes.length === 0) return
  if (last?.kind === 'text') parts[parts.length - 1] = { kind: 'text', nodes: [...last.nodes, ...nodes] }
  else parts.push({ kind: 'text', nodes })
}

/** Three backquotes and `sql`. */
function isFence(token: Token): token is Tokens.Code {
  return token.type === 'code' && /^sql\b/i.test((token as Tokens.Code).lang ?? '')
}

const OPTION = /^(over|split|value)=(\w+)$/

function blockOf({ lang = '', text }: Tokens.Code, line: number, number: number): PagePart {
  const [, shownAs = 'table', ...rest] = lang.trim().split(/\s+/)
  const wrong = (words: string): PagePart => ({ kind: 'wrong', line: line - 1, words })
  if (shownAs !== 'table' && shownAs !== 'chart')
    return wrong(`a block is shown as table or chart, not as ${shownAs}: write \`\`\`sql chart`)
  const options: { over?: string; split?: string; value?: string } = {}
  for (const word of rest) {
    const [, role, column] = OPTION.exec(word) ?? []
    if (role === undefined || column === undefined || shownAs === 'table')
      return wrong(
        `${word} is not an option of a ${shownAs}; a chart has over=COLUMN, split=COLUMN and value=COLUMN`,
      )
    options[role as keyof typeof options] = column
  }
  if (text.trim() === '') return wrong('the block has no statement')
  const block: PageBlock = {
    shownAs,
    title: firstComment(text) || `Block ${number}`,
    sql: text,
    line,
    ...options,
  }
  return { kind: 'block', block }
}

function firstComment(sql: string): string {
  const lines = sql.trimStart().split('\n')
  const end = lines.findIndex((line) => !line.trimStart().startsWith('--'))
  return lines
    .slice(0, end < 0 ? lines.length : end)
    .map((line) => line.trim().replace(/^--+\s*/, ''))
    .join(' ')
    .trim()
}

const SIMPLE: Readonly<Record<string, PageTag>> = {
  blockquote: 'blockquote',
  del: 'del',
  em: 'em',
  paragraph: 'p',
  strong: 'strong',
}

function nodeOf(token: Token): PageNode[] {
  const simple = SIMPLE[token.type]
  if (simple) return [element(simple, nodesOf(token))]
  switch (token.type) {
    case 'space':
    case 'def':
      return []
    case 'heading':
      // The page has the first heading, and its sections the second.
      return [element((token as Tokens.Heading).depth <= 2 ? 'h3' : 'h4', nodesOf(token))]
    case 'text':
      return 'tokens' in token && token.tokens ? nodesOf(token) : [decoded((token as Tokens.Text).text)]
    case 'escape':
      return [(token as Tokens.Escape).text]
    case 'codespan':
      return [element('code', [(token as Tokens.Codespan).text])]
    case 'code':
      return [element('pre', [element('code', [(token as Tokens.Code).text])])]
    case 'br':
      return [element('br', [])]
    case 'hr':
      return [element('hr', [])]
    case 'checkbox':
      return [(token as Tokens.Checkbox).checked ? '☑ ' : '☐ ']
    case 'list':
      return [listOf(token as Tokens.List)]
    case 'table':
      return [tableOf(token as Tokens.Table)]
    case 'link':
      return [linkOf(token as Tokens.Link)]
    case 'image':
      return [(token as Tokens.Image).text]
    default:
      // HTML, and whatever a later version of the library knows: as it is written.
      return [token.raw]
  }
}

function element(tag: PageTag, children: readonly PageNode[]): PageElement {
  return { tag, children }
}

function nodesOf(token: Token): PageNode[] {
  return ('tokens' in token ? (token.tokens ?? []) : []).flatMap(nodeOf)
}

function listOf({ ordered, items }: Tokens.List): PageElement {
  return element(
    ordered ? 'ol' : 'ul',
    items.map((item) => element('li', nodesOf(item))),
  )
}

function tableOf({ header, rows }: Tokens.Table): PageElement {
  const row = (tag: 'th' | 'td', cells: readonly Tokens.TableCell[]): PageElement =>
    element(
      'tr',
      cells.map((cell) => element(tag, cell.tokens.flatMap(nodeOf))),
    )
  return element('table', [
    element('thead', [row('th', header)]),
    element(
      'tbody',
      rows.map((cells) => row('td', cells)),
    ),
  ])
}

/** Links that lead to a web page, and those that lead to a page of the console. */
const LEADS = /^(https?:\/\/|#\/)/i

function linkOf(token: Tokens.Link): PageElement {
  const children = nodesOf(token)
  return LEADS.test(token.href) ? { tag: 'a', href: token.href, children } : element('span', children)
}

/** Characters that Markdown writes as in HTML; all others stay as they are written. */
const WRITTEN: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: '\u00a0' }

function decoded(text: string): string {
  return text.replace(/&(\w+);/g, (written, name: string) =>
    Object.hasOwn(WRITTEN, name) ? (WRITTEN[name] ?? written) : written,
  )
}

function plainText(token: Token): string {
  const textOf = (node: PageNode): string =>
    typeof node === 'string' ? node : node.children.map(textOf).join('')
  return nodesOf(token).map(textOf).join('').trim()
}
