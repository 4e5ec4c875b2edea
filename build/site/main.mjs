/**
 * A step of the build: the docs as a site in dist/site, which needs no network. Pictures stay in docs/images: the program that
 * serves or copies the site adds them.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import Eleventy from '@11ty/eleventy'
import MiniSearch from 'minisearch'
import { rolldown } from 'rolldown'
import { writeLicenses } from '../licenses.mjs'
import { layout } from './layout.mjs'
import { lineageDrawing } from './lineage-drawing.mjs'
import { teach } from './markdown.mjs'
import { INDEX_OPTIONS } from './search-options.mjs'
import { addressOf, anchorOf, macros, navigation, relations, root, sourcePages } from './site-pages.mjs'

const here = dirname(fileURLToPath(import.meta.url))
const folder = join(root, 'dist/site')
const parts = navigation()
const ofCatalog = relations()
const relationPages = new Map([
  ...macros().map((name) => [name, 'dictionary.html#macros']),
  ...ofCatalog.map(({ name, address }) => [name, address]),
])
const sqlPages = new Map(ofCatalog.flatMap(({ sql, address }) => (sql ? [[sql.path, `${address}#sql`]] : [])))
const sources = new Set(sourcePages())

/** Where a path leads that a page of the repository names. */
function addressOfPath(source, path) {
  const whole = posix.normalize(posix.join(posix.dirname(source), path)).replace(/\/$/, '')
  const page = [whole, `${whole}/README.md`].find((each) => sources.has(each))
  return page ? addressOf(page) : sqlPages.get(whole)
}

/** Pages with their Markdown. */
function pages() {
  const written = [...sources].map((source) => {
    const text = readFileSync(join(root, source), 'utf8')
    return { source, address: addressOf(source), title: /^# (.+)$/m.exec(text)?.[1] ?? source, text }
  })
  const ofRelations = ofCatalog.map((relation) => {
    const { name, address, text, sql, reads, readers } = relation
    const lineage =
      reads.length + readers.length > 0 ? `## Lineage\n\n${lineageDrawing(relation, relationPages)}\n\n` : ''
    const code = sql ? `## SQL\n\n\`\`\`sql\n${sql.text}\n\`\`\`\n` : ''
    return {
      source: 'docs/dictionary.md',
      address,
      title: name,
      isRelation: name,
      text: `# ${name}\n\n${lineage}## Columns\n\n${text}\n\n${code}`,
    }
  })
  return [...written, ...ofRelations]
}

/** The sections of a page, for the search. */
function sectionsOf({ title, address, text }) {
  return text.split(/^(?=#{1,3} )/m).map((part, index) => {
    const [, heading = title] = /^#{1,3} (.+)$/m.exec(part.split('\n')[0]) ?? []
    const place =
      index === 0 || heading === title ? address : `${address}#${anchorOf(heading.replaceAll('`', ''))}`
    return { title, heading, address: place, text: part.replace(/<[^>]*>|\]\([^)]*\)|[`|*#]/g, ' ') }
  })
}

rmSync(folder, { recursive: true, force: true })
mkdirSync(join(folder, 'assets'), { recursive: true })
const all = pages()
const site = new Eleventy(here, folder, {
  quietMode: true,
  configPath: null,
  config: (config) => {
    config.setTemplateFormats(['md'])
    config.setUseGitIgnore(false)
    config.amendLibrary('md', (md) => teach(md, { relationPages, addressOfPath }))
    for (const { text, ...page } of all)
      config.addTemplate(page.address.replace(/html$/, 'md'), text, {
        ...page,
        permalink: page.address,
        templateEngineOverride: 'md',
      })
    config.addTransform('layout', function (content) {
      const page = all.find(
        ({ address }) =>
          address === this.page.outputPath?.slice(folder.length + 1) || address === this.page.url?.slice(1),
      )
      return page ? layout({ ...page, content, parts }) : content
    })
  },
})
site.disableLogger()
await site.write()

const index = new MiniSearch(INDEX_OPTIONS)
// The dictionary is in the pages of its relations.
const sections = all.filter(({ address }) => address !== 'dictionary.html').flatMap(sectionsOf)
index.addAll(sections.map((section, id) => ({ id, ...section })))
writeFileSync(
  join(folder, 'assets/search-index.js'),
  `globalThis.searchIndex = ${JSON.stringify(JSON.stringify(index))}\n`,
)
const bundle = await rolldown({
  cwd: root,
  input: { search: join(here, 'assets/search.js') },
  platform: 'browser',
})
const { output } = await bundle.write({
  dir: join(folder, 'assets'),
  format: 'iife',
  entryFileNames: '[name].js',
  minify: true,
})
writeFileSync(join(folder, 'assets/site.css'), readFileSync(join(here, 'assets/site.css')))
writeLicenses(
  output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : [])),
  join(folder, 'licenses.txt'),
)
