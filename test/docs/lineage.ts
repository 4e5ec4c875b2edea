import { type DatasetName, datasets } from '../../src/plan/datasets.js'
import { MARKET } from '../../src/source/brokerage/queries.js'
import { madeObjects } from './dictionary.js'

/** What each folder of `sql/mart` is about, in the order of the page. */
const SUBJECTS: Readonly<Record<string, string>> = {
  session: 'Hours and calendar',
  instrument: 'Instruments',
  price: 'Prices, returns, risk',
  bar: 'Bars within the day',
  flow: 'Who trades, and how much',
  index: 'Indexes and sectors',
  derivative: 'Futures, warrants, ETFs',
  known: 'As it was known',
  account: 'Accounts',
  held: 'What is held',
}

/** `docs/lineage.md`: which endpoint feeds which relation, and which relation which view, as Mermaid graphs. */
export function lineage(): string {
  const made = madeObjects()
  const scalars = new Set(made.filter(({ kind }) => kind === 'macro').map(({ name }) => `mart.${name}`))
  const subjectOf = (file: string, name: string): string => {
    const folder = file.split('/')[1] ?? ''
    return folder === 'stored' ? (name === 'intraday' ? 'bar' : 'price') : folder
  }
  const parts = [
    '# Lineage',
    '',
    'What reads what, written by `make docs` from the SQL itself. Rounded: service data and the ledger; boxes: views, macros and',
    'materialized tables of schema `mart`. What a relation means: [dictionary.md](dictionary.md).',
    '',
    '## From the service',
    '',
    '```mermaid',
    'graph LR',
    ...Object.values(datasets).map(
      ({ name, relation }) => `  ${name}["${endpointOf(name)}"] --> ${node(relation)}`,
    ),
    '```',
  ]
  for (const [subject, title] of Object.entries(SUBJECTS)) {
    const mine = made
      .filter(({ file, name }) => subjectOf(file, name) === subject)
      .filter(({ name }) => !scalars.has(`mart.${name}`))
      .sort((a, b) => a.name.localeCompare(b.name))
    if (mine.length === 0) continue
    const edges = mine.flatMap(({ name, reads }) =>
      reads.filter((each) => !scalars.has(each)).map((each) => `  ${node(each)} --> ${node(`mart.${name}`)}`),
    )
    const lonely = mine.filter(({ name }) => !edges.some((edge) => edge.includes(node(`mart.${name}`))))
    parts.push('', `## ${title}`, '', '```mermaid', 'graph LR')
    parts.push(...lonely.map(({ name }) => `  ${node(`mart.${name}`)}`), ...edges, '```')
  }
  return `${parts.join('\n')}\n`
}

function node(relation: string): string {
  const id = relation.replace('.', '_')
  return relation.startsWith('mart.') ? `${id}[${relation}]` : `${id}(${relation})`
}

function endpointOf(name: DatasetName): string | null {
  return name === 'corporateActions' ? null : MARKET[name]
}
