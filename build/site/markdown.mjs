/** How Markdown of the repository becomes a page of the site: anchors, links, names of relations, lineage. */
import { anchorOf, wayTo } from './site-pages.mjs'

/**
 * @param md the Markdown library of the generator
 * @param places where a path of the repository leads on the site, and the pages of relations by their names
 */
export function teach(md, { addressOfPath, relationPages }) {
  md.core.ruler.push('site', ({ tokens, env }) => {
    const used = new Map()
    for (const [index, token] of tokens.entries()) {
      if (token.type === 'heading_open')
        token.attrSet('id', unique(anchorOf(plainText(tokens[index + 1])), used))
      if (token.type === 'inline') rewrite(token.children, env, { addressOfPath, relationPages })
      if (token.type === 'fence' && token.info.trim() === 'mermaid') asLineage(token, env, relationPages)
    }
  })
  // What scrolls sideways is reached by keyboard.
  const reached = (html) => html.replace('<pre>', '<pre tabindex="0">')
  const { fence, code_block } = md.renderer.rules
  md.renderer.rules.code_block = (...given) => reached(code_block(...given))
  md.renderer.rules.fence = (tokens, index, options, env, self) =>
    tokens[index].meta?.lineage ?? reached(fence(tokens, index, options, env, self))
  md.renderer.rules.table_open = () => '<div class="scroll" tabindex="0"><table>'
  md.renderer.rules.table_close = () => '</table></div>'
}

/** The text of a heading as GitHub takes it for its anchor. */
function plainText({ children }) {
  return children
    .filter(({ type }) => type === 'text' || type === 'code_inline')
    .map(({ content }) => content)
    .join('')
}

function unique(anchor, used) {
  const count = used.get(anchor) ?? 0
  used.set(anchor, count + 1)
  return count === 0 ? anchor : `${anchor}-${count}`
}

/** Leads links to pages of the site, takes those away that lead to no page, and links names of relations. */
function rewrite(tokens, { source, address, isRelation }, { addressOfPath, relationPages }) {
  const ends = []
  for (const token of tokens) {
    if (token.type === 'link_open') {
      const target = targetOf(token.attrGet('href'), address, (path) => addressOfPath(source, path))
      if (target === undefined) Object.assign(token, { tag: 'span', attrs: [] })
      else token.attrSet('href', target)
      ends.push(target === undefined ? 'span' : 'a')
    } else if (token.type === 'link_close') token.tag = ends.pop() ?? 'a'
    else if (token.type === 'image') token.attrSet('src', wayTo(address, imageAddress(token.attrGet('src'))))
    else if (
      token.type === 'code_inline' &&
      ends.length === 0 &&
      relationPages.has(token.content) &&
      token.content !== isRelation
    )
      Object.assign(token, {
        type: 'html_inline',
        content: `<a href="${wayTo(address, relationPages.get(token.content))}"><code>${token.content}</code></a>`,
      })
  }
}

function imageAddress(source) {
  return `images/${source.split('/').at(-1)}`
}

/** @returns undefined for what the site does not have */
function targetOf(href, address, addressOfPath) {
  if (/^(https?:|mailto:|#)/.test(href)) return href
  const [path, anchor] = href.split('#')
  const target = addressOfPath(path)
  return target && `${wayTo(address, target)}${anchor ? `#${anchor}` : ''}`
}

const EDGE = /^ {2}\w+[[("]+([\w.]+)[\])"]+ --> \w+[[("]+([\w.]+)[\])"]+$/gm

/** A diagram of lineage as a table whose names lead on. */
function asLineage(token, { address }, relationPages) {
  const reads = new Map()
  for (const [, from, to] of token.content.matchAll(EDGE)) reads.set(to, [...(reads.get(to) ?? []), from])
  const link = (name) =>
    relationPages.has(name)
      ? `<a href="${wayTo(address, relationPages.get(name))}"><code>${name}</code></a>`
      : `<code>${name}</code>`
  const rows = [...reads].map(
    ([name, from]) => `<tr><td>${link(name)}</td><td>${from.map(link).join(', ')}</td></tr>`,
  )
  token.meta = {
    lineage: `<div class="scroll" tabindex="0"><table><thead><tr><th>relation</th><th>reads</th></tr></thead><tbody>${rows.join('\n')}</tbody></table></div>`,
  }
}
