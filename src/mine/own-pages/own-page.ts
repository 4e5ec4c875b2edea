/** A page that the user has written: Markdown with blocks of SQL. */
export interface OwnPage {
  /** Name of its file: `sql/pages/NAME.md`. */
  readonly name: string
  readonly title: string
  readonly parts: readonly PagePart[]
}

export type PagePart =
  | { readonly kind: 'text'; readonly nodes: readonly PageNode[] }
  | { readonly kind: 'block'; readonly block: PageBlock }
  /** A block that cannot be run as it is written. */
  | { readonly kind: 'wrong'; readonly line: number; readonly words: string }

/** A statement of a page, and how its result is shown. */
export interface PageBlock {
  readonly shownAs: 'table' | 'chart'
  /** The comment that the statement begins with; `Block 2` where there is none. */
  readonly title: string
  readonly sql: string
  /** Line of the file on which the statement begins, from 1. */
  readonly line: number
  /** Columns that are named for a chart. */
  readonly over?: string
  readonly split?: string
  readonly value?: string
}

/** What a page may be made of: no script, no style, no picture, no frame can be said in it. */
export type PageNode = string | PageElement

export interface PageElement {
  readonly tag: PageTag
  /** Of a link: to another place in the console, or to a web page. */
  readonly href?: string
  readonly children: readonly PageNode[]
}

export type PageTag =
  | 'a'
  | 'blockquote'
  | 'br'
  | 'code'
  | 'del'
  | 'em'
  | 'h3'
  | 'h4'
  | 'hr'
  | 'li'
  | 'ol'
  | 'p'
  | 'pre'
  | 'span'
  | 'strong'
  | 'table'
  | 'tbody'
  | 'td'
  | 'th'
  | 'thead'
  | 'tr'
  | 'ul'
