import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { type FieldTable, fieldNames } from 'candlehouse-foundation/fields/field'
import { accountFields, marketFields } from 'candlehouse-foundation/fields/relations'
import { describe, expect, test } from 'vitest'
import { orderAction } from '../../packages/client/src/wire/order-records.js'
import { packageRoot } from '../../src/package.js'
import { SOURCE_FOLDERS } from '../support/sources.js'
import { textFiles } from './files.js'

/** Guides and readmes of the packages. */
const PACKAGE_PAGES = ['client', 'foundation', 'sandbox'].map((name) => `packages/${name}/README.md`)

const SOURCES = textFiles(
  ...SOURCE_FOLDERS,
  'packages/client/test',
  'packages/sandbox/test',
  'packages/foundation/test',
  'sql',
  'test',
  'data/reference',
).filter(({ path }) => path !== 'test/docs/references.test.ts')
const PAGES = textFiles(
  'docs',
  'examples',
  'src/README.md',
  ...PACKAGE_PAGES,
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'SECURITY.md',
  'test/README.md',
)

/** The anchor that a renderer gives a heading. */
function anchor(heading: string): string {
  return heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-')
}

/** Why a path with an optional `#anchor` leads nowhere; undefined when it leads somewhere. */
function deadEnd(target: string): string | undefined {
  const [path = '', fragment] = target.split('#')
  if (!existsSync(join(packageRoot, path))) return `${target}: no such file; name one that exists`
  if (fragment === undefined) return undefined
  const text = readFileSync(join(packageRoot, path), 'utf8').replace(/^```[\s\S]*?^```/gm, '')
  const anchors = [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchor(heading))
  return anchors.includes(fragment) ? undefined : `${target}: no such heading; name one of that page`
}

describe('a reference', () => {
  test('in code, SQL or a test names a page of docs, and a heading of it', () => {
    const cited = SOURCES.flatMap(({ path, text }) =>
      [...text.matchAll(/\bdocs\/[\w./-]+?\.md(?:#[\w-]+)?/g)].map(([target]) => ({ path, target })),
    )
    expect(cited.length).toBeGreaterThan(150)
    const dead = cited.flatMap(({ path, target }) => {
      const reason = deadEnd(target)
      return reason ? [`${path} → ${reason}`] : []
    })
    expect(dead).toEqual([])
  })

  test('between pages leads to a file, and to a heading of it', () => {
    const dead = PAGES.flatMap(({ path, text }) =>
      [...text.replace(/^```[\s\S]*?^```/gm, '').matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, link = '']) => {
        if (/^[a-z]+:/.test(link)) return []
        const [file = '', fragment] = link.split('#')
        const to = file === '' ? path : normalize(join(dirname(path), file))
        const reason = deadEnd(fragment === undefined ? to : `${to}#${fragment}`)
        return reason ? [`${path} → ${reason}`] : []
      }),
    )
    expect(dead).toEqual([])
  })

  test('never goes to what is not in the repository: notes, a specification by section, a numbered decision', () => {
    const old =
      /[Ff]ield notes?\b|[("]spec, [A-Z]|\binterface(?:\.md| §|, section)|\b(?:analytics|design|faults)\.md|\b[Dd]ecisions? \d/
    // A `spec` is also what a job run or a setting is made from.
    const bare = /\([Ss]pec\)(?! =>)|\b[Tt]he spec\b/
    const found = [...SOURCES, ...PAGES]
      .filter(({ path }) => path !== 'docs/glossary.md')
      .flatMap(({ path, text }) =>
        text
          .split('\n')
          .flatMap((line, at) =>
            old.test(line) || (bare.test(line) && !/RunSpec|SettingSpec/.test(text))
              ? [`${path}:${at + 1}: name the page and its heading: ${line.trim()}`]
              : [],
          ),
      )
    expect(found).toEqual([])
  })
})

test('docs/brokerage-api.md names every field that is read', () => {
  const page = readFileSync(join(packageRoot, 'docs/brokerage-api.md'), 'utf8')
  const { corporate_action: _, ...answered } = marketFields
  const tables = [...Object.values(answered), ...Object.values(accountFields)]
  const fields = [...tables.flatMap((table) => fieldNames<FieldTable>(table)), ...orderAction.fields]
  expect(fields.length).toBeGreaterThan(200)
  const missing = fields.filter(
    (field) =>
      !page.includes(`\`${field}\``) && !page.includes(`\`${field.replace(/(Broker|Depository)$/, '')}…\``),
  )
  expect(missing.map((field) => `${field} is missing: describe it in docs/brokerage-api.md`)).toEqual([])
})

describe('the decisions', () => {
  const pages = textFiles('docs/decisions').filter(({ path }) => !path.endsWith('README.md'))
  const index = readFileSync(join(packageRoot, 'docs/decisions/README.md'), 'utf8')

  test('have context, decision, evidence and consequences, on at most a page each', () => {
    const odd = pages.filter(({ text }) => {
      const headings = [...text.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading)
      return headings.join() !== 'Context,Decision,Evidence,Consequences' || text.split('\n').length > 60
    })
    expect(odd.map(({ path }) => `${path}: give it these four headings and at most 60 lines`)).toEqual([])
  })

  test('are all in the index, in order', () => {
    const linked = [...index.matchAll(/\(\.\/(\d{4}-[\w-]+\.md)\)/g)].map(
      ([, name]) => `docs/decisions/${name}`,
    )
    expect(linked).toEqual(pages.map(({ path }) => path).sort())
  })
})

test('the glossary names identifiers that exist', () => {
  const page = readFileSync(join(packageRoot, 'docs/glossary.md'), 'utf8')
  const names = [...page.matchAll(/`([a-z]+[A-Z]\w*|[A-Z][a-z]+[A-Z]\w*|[A-Z][a-z]{5,})`/g)].map(
    ([, name]) => name,
  )
  expect(names.length).toBeGreaterThan(5)
  const sources = textFiles(...SOURCE_FOLDERS)
    .map(({ text }) => text)
    .join('\n')
  const gone = names.filter((name) => !new RegExp(`\\b${name}\\b`).test(sources))
  expect(gone.map((name) => `${name} is not in the sources: rename it in docs/glossary.md`)).toEqual([])
})

describe('the tour of src', () => {
  const tour = readFileSync(join(packageRoot, 'src/README.md'), 'utf8')

  test('names what exists', () => {
    const [, steps = ''] = /## The functions that one page passes through\n([\s\S]*?)\n## /.exec(tour) ?? []
    const names = [...steps.matchAll(/`(\w+)`/g)].map(([, name = '']) => name)
    expect(names.length).toBeGreaterThan(12)
    const sources = textFiles(...SOURCE_FOLDERS).map(({ text }) => text)
    const gone = names.filter(
      (name) =>
        !sources.some((text) =>
          new RegExp(`export (async )?(function\\*?|const|interface|type|class) ${name}\\b`).test(text),
        ),
    )
    expect(gone.map((name) => `nothing exports ${name}: rename it in src/README.md`)).toEqual([])
  })

  test('is one page', () => {
    expect(tour.split('\n').length).toBeLessThan(95)
  })
})
