import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../src/package.js'
import { readText } from './files.js'

/** Pages that a machine reads first, in this order; the others follow by name. */
const FIRST = ['definitions', 'assistants', 'cookbook', 'dictionary', 'rulebook', 'rules', 'lineage']

/** Characters of what is said of a page. */
const MOST = 200

/** `llms.txt`: what the project is, and its pages with their first sentences, for models (https://llmstxt.org). */
export function llmsPage(): string {
  const names = readdirSync(join(packageRoot, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => name.slice(0, -'.md'.length))
    .sort()
  const others = names.filter((name) => !FIRST.includes(name))
  const lineOf = (name: string): string => {
    const text = readText(`docs/${name}.md`)
    const [, title = name] = /^# (.+)$/m.exec(text) ?? []
    // The first paragraph that is prose.
    const about = text.split(/\n{2,}/).find((part) => /^[A-Z`\d]/.test(part)) ?? ''
    return `- [${title}](docs/${name}.md)${about === '' ? '' : `: ${firstSentence(about)}`}`
  }
  return `${[
    '# candlehouse',
    '',
    '> Reads a Vietnamese brokerage’s API every night, market data and accounts, keeps every page as it was received, and publishes a',
    '> read-only DuckDB catalog and Parquet files. Everything runs without credentials against an included sandbox: `make nightly`.',
    '',
    'Ask the data with `candlehouse sql "…"`, or over the Model Context Protocol with `candlehouse mcp`. Prices are raw unless a',
    'column ends in `_adjusted`; null means not reported, never 0; a trading date is a day in Vietnam (UTC+7).',
    '',
    '## For questions about the data',
    '',
    ...FIRST.map(lineOf),
    '',
    '## For users and operators',
    '',
    '- [README](README.md): a tour, with commands to type',
    ...others.map(lineOf),
    '',
    '## For developers',
    '',
    '- [The code](src/README.md): the path of the data, modules, who may import whom',
    '- [CONTRIBUTING](CONTRIBUTING.md): checks, and recipes for changes',
    '- [Decisions](docs/decisions/README.md): why it is as it is',
  ].join('\n')}\n`
}

function firstSentence(text: string): string {
  const plain = text.replaceAll('\n', ' ').replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
  const [sentence = plain] = /^.*?[.:](?=\s|$)/.exec(plain) ?? []
  return sentence.replace(/[.:]$/, '').slice(0, MOST)
}
