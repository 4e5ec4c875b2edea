import { visible } from 'candlehouse-foundation/visible'

/** HTML that may be put into a page as it is. Only `html` and `trusted` make it. */
export class Html {
  constructor(readonly text: string) {}
}

export type Content = Html | string | number | null | undefined | false | readonly Content[]

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** A template whose values are escaped unless they are HTML already; lists are joined, null and false are nothing. */
export function html(parts: TemplateStringsArray, ...values: readonly Content[]): Html {
  return new Html(parts.map((part, index) => part + textOf(values[index])).join(''))
}

/** HTML from a library that escapes by itself. */
export function trusted(text: string): Html {
  return new Html(text)
}

function textOf(value: Content): string {
  if (value === null || value === undefined || value === false) return ''
  if (value instanceof Html) return value.text
  if (typeof value === 'object') return value.map(textOf).join('')
  return visible(String(value)).replace(/[&<>"']/g, (char) => ENTITIES[char] ?? char)
}
