/** The pages of the docs site: those of docs/, the README and one per relation of the catalog. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../..', import.meta.url))

/** Markdown that the site shows, by its path in the repository. */
export function sourcePages() {
  const listed = (folder) =>
    readdirSync(join(root, folder))
      .filter((name) => name.endsWith('.md'))
      .map((name) => `${folder}/${name}`)
  return ['README.md', 'CHANGELOG.md', ...listed('docs'), ...listed('docs/decisions')].sort()
}

/** Address of a page, below the site. */
export function addressOf(source) {
  if (source === 'README.md') return 'index.html'
  return source
    .replace(/^docs\//, '')
    .replace(/README\.md$/, 'index.html')
    .replace(/\.md$/, '.html')
    .toLowerCase()
}

/** The anchor of a heading, as GitHub makes it. */
export function anchorOf(heading) {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-')
}

/** Parts of the navigation: the lists of llms.txt, which name every page of docs/. */
export function navigation() {
  const [, ...parts] = readFileSync(join(root, 'llms.txt'), 'utf8').split(/^## /m)
  return parts.map((part) => ({
    title: part.split('\n')[0],
    links: [...part.matchAll(/^- \[(.+?)\]\((.+?)\)/gm)]
      .filter(([, , source]) => sourcePages().includes(source))
      .map(([, title, source]) => ({ title, address: addressOf(source) })),
  }))
}

/** Relations, views and macros of the dictionary, each with what it reads and what reads it. */
export function relations() {
  const dictionary = readFileSync(join(root, 'docs/dictionary.md'), 'utf8')
  const edges = [
    ...readFileSync(join(root, 'docs/lineage.md'), 'utf8').matchAll(
      /^ {2}\w+[[("]+([\w.]+)[\])"]+ --> \w+[[("]+([\w.]+)[\])"]+$/gm,
    ),
  ].map(([, from, to]) => ({ from, to }))
  const parts = dictionary.split(/^### /m).slice(1)
  return parts.map((part) => {
    const [name = ''] = part.split('\n')
    const plain = name.replace(/\(.*$/, '').replaceAll('`', '')
    const text = part.slice(name.length).replace(/^## [\s\S]*$/m, '')
    return {
      name: plain,
      address: `relations/${plain}.html`,
      anchor: anchorOf(name),
      text: text.trim(),
      reads: edges.filter(({ to }) => to === plain).map(({ from }) => from),
      readers: edges.filter(({ from }) => from === plain).map(({ to }) => to),
      sql: sqlOf(text),
    }
  })
}

/** Names of macros: the dictionary has them in one table. */
export function macros() {
  const [, table = ''] = readFileSync(join(root, 'docs/dictionary.md'), 'utf8').split(/^## Macros$/m)
  return [...table.matchAll(/^\| `(?:FROM )?([\w.]+)\(/gm)].map(([, name]) => name)
}

/** The SQL of a view, which the dictionary links. */
function sqlOf(text) {
  const [, path] = /\]\(\.\.\/(sql\/[\w/]+\.sql)\)/.exec(text) ?? []
  return path && existsSync(join(root, path))
    ? { path, text: readFileSync(join(root, path), 'utf8') }
    : undefined
}

/** The way from one page to another. */
export function wayTo(from, to) {
  const way = relative(dirname(from), to)
  return way === '' ? '.' : way
}
