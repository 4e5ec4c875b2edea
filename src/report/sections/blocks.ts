import type { Tone } from '../../settings/index.js'
import { ARROWS, toneOfChange, WORDS } from '../charts/tones.js'
import { change } from '../figures.js'
import { type Content, type Html, html } from '../html.js'

export interface Column {
  readonly title: string
  /** Right-aligned, in figures of one width. */
  readonly isFigure?: boolean
}

/** `name` of a column of text, `#name` of a column of figures. */
export function columns(...titles: readonly string[]): Column[] {
  return titles.map((title) =>
    title.startsWith('#') ? { title: title.slice(1), isFigure: true } : { title },
  )
}

/**
 * A table whose first column names its rows. On a phone each row becomes a block, in which each value has the title of its column
 * (`style.ts`): no column lies beyond the edge.
 */
export function table(caption: string, head: readonly Column[], rows: readonly (readonly Content[])[]): Html {
  const kind = (index: number): Html | false => (head[index]?.isFigure ? html` class="figure"` : false)
  return html`<div class="scroll" role="region" tabindex="0" aria-label="${caption}"><table class="rows">
<caption><span>${caption}</span></caption>
<thead><tr>${head.map(({ title }, index) => html`<th scope="col"${kind(index)}>${title}</th>`)}</tr></thead>
<tbody>${rows.map(
    (row) =>
      html`<tr>${row.map((cell, index) =>
        index === 0
          ? html`<th scope="row"${kind(index)}>${cell}</th>`
          : html`<td data-title="${head[index]?.title ?? ''}"${kind(index)}>${cell}</td>`,
      )}</tr>
`,
  )}</tbody>
</table></div>`
}

/** Something folded: what it is stands in its line. */
export function folded(line: Content, content: Content): Html {
  return html`<details><summary>${line}</summary>${content}</details>`
}

/** A chart with what it shows in one sentence, and the numbers behind it. */
export function figure(title: string, sentence: Content, drawing: Content, numbers: Content): Html {
  return html`<figure>
<figcaption><h3>${title}</h3><p>${sentence}</p></figcaption>
${drawing}
${folded(`The numbers: ${title.toLowerCase()}`, numbers)}
</figure>`
}

/** A figure with its name, for a glance. */
export function tile(name: string, value: Content, more?: Content): Html {
  return html`<div class="tile"><dt>${name}</dt><dd>${value}${more ? html`<small>${more}</small>` : false}</dd></div>`
}

export function tiles(...all: readonly Html[]): Html {
  return html`<dl class="tiles">${all}</dl>`
}

/** A change in the colour of the board, with the sign and the arrow that say the same. */
export function toned(tone: Tone, words: Content): Html {
  return html`<span class="tone ${tone}"><span aria-hidden="true">${ARROWS[tone]}</span><span class="spoken">${WORDS[tone]}</span> ${words}</span>`
}

/** A fraction as a toned change. */
export function tonedChange(part: number | null, digits = 2): Html {
  return part === null ? html`–` : toned(toneOfChange(part), change(part, digits))
}

/** A command to copy. */
export function command(words: string): Html {
  return html`<code class="command">${words}</code>`
}

/** A section of the page, with the name that the list at its top leads to. */
export function section(id: string, title: string, lead: Content, content: Content): Html {
  return html`<section id="${id}" aria-labelledby="${id}-title">
<header><h2 id="${id}-title">${title}</h2>${lead ? html`<p class="lead">${lead}</p>` : false}</header>
${content}
</section>
`
}

/** Nothing to show, and why. */
export function nothing(words: Content): Html {
  return html`<p class="nothing">${words}</p>`
}
