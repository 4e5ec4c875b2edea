/** Where the cursor stands, as far as it decides which words go on. */
export type CompletionPlace =
  /** Within a text in quotes; the name before it where one is compared with it. */
  | {
      readonly kind: 'text'
      readonly from: number
      readonly typed: string
      readonly column: string | undefined
    }
  /** Behind a name and a point. */
  | { readonly kind: 'member'; readonly from: number; readonly qualifier: string }
  /** In a comment: nothing goes on there. */
  | { readonly kind: 'comment' }
  | { readonly kind: 'other' }

/** Comments, texts and quoted names, in this order; the last one may be open. */
const OPAQUE = /--[^\n]*(?:\n|$)|\/\*[\s\S]*?(?:\*\/|$)|'(?:''|[^'])*(?:'|$)|"(?:""|[^"])*(?:"|$)/g

/** A name that a text is compared with: `symbol = '`, `symbol in ('FPT', '`. */
const COMPARED = /(\w+)\s*(?:=|<>|!=|\bnot\s+in\s*\([^()]*|\bin\s*\([^()]*)\s*$/i

const QUALIFIED = /([A-Za-z_]\w*)\.(\w*)$/

/** @param before the text up to the cursor */
export function completionPlace(before: string): CompletionPlace {
  const last = [...before.matchAll(OPAQUE)].at(-1)
  const isAtEnd = last !== undefined && last.index + last[0].length === before.length
  if (last && isAtEnd) {
    const [opaque] = last
    if (opaque.startsWith('--') && !opaque.endsWith('\n')) return { kind: 'comment' }
    if (opaque.startsWith('/*') && !opaque.endsWith('*/')) return { kind: 'comment' }
    if (opaque.startsWith("'") && isOpen(opaque)) {
      const typed = opaque.slice(1)
      const [, column] = COMPARED.exec(before.slice(0, last.index)) ?? []
      return { kind: 'text', from: before.length - typed.length, typed, column: column?.toLowerCase() }
    }
  }
  const [, qualifier, part = ''] = QUALIFIED.exec(before) ?? []
  return qualifier === undefined
    ? { kind: 'other' }
    : { kind: 'member', from: before.length - part.length, qualifier }
}

/** Whether a text has no closing quote: two quotes in it are one of its characters. */
function isOpen(text: string): boolean {
  return (text.match(/'/g)?.length ?? 0) % 2 === 1
}
