import { counted } from 'candlehouse-foundation/number-text'
import type { LineageNode } from '../reference.js'
import { get, type Row, view } from './api.js'
import { dictionaryAddress, type FoundRelation, searchDictionary } from './dictionary-search.js'
import { FindField } from './find-field.js'
import { useLoaded } from './loaded.js'
import { NoSuch } from './no-such.js'
import { NotLoaded } from './not-loaded.js'
import { RowsTable } from './rows-table.js'

/** Columns of a relation that the list shows; the others are counted. */
const SHOWN_COLUMNS = 4

/** Shown where the address names none. */
const FIRST_RELATION = 'market.candle'

export function DictionaryPage({ words }: { words: readonly string[] }) {
  const [name = '', wanted = ''] = words
  const { value, error } = useLoaded(
    async () =>
      await Promise.all([view('relations'), view('dictionary'), get<LineageNode[]>('/api/lineage')]),
    [],
  )
  if (!value) return <NotLoaded title="Dictionary" error={error} />
  const [relations, columns, nodes] = value
  const found = searchDictionary(relations, columns, wanted)
  const named = relations.find(({ relation }) => relation === name)
  const chosen = named ?? relations.find(({ relation }) => relation === FIRST_RELATION)
  return (
    <>
      <h1>Dictionary</h1>
      {name && !named && <NoSuch what="relation" name={name} shown="all relations" />}
      <div class="sides">
        <nav class="card" aria-label="Relations">
          <FindField
            label="Find in names and comments of relations and columns"
            value={wanted}
            addressOf={(text) => dictionaryAddress(name || FIRST_RELATION, text)}
          />
          {wanted.trim() !== '' && (
            <p class="quiet" role="status">
              {counted(found.length, 'relation')}
            </p>
          )}
          <ul class="names">
            {found.map((each) => (
              <FoundItem
                key={each.relation}
                found={each}
                wanted={wanted}
                isChosen={each.relation === chosen?.relation}
              />
            ))}
          </ul>
        </nav>
        {chosen && (
          <Relation
            relation={chosen}
            columns={columns.filter(({ relation }) => relation === chosen.relation)}
            nodes={nodes}
          />
        )}
      </div>
    </>
  )
}

interface ItemProps {
  found: FoundRelation
  wanted: string
  isChosen: boolean
}

function FoundItem({ found: { relation, columns }, wanted, isChosen }: ItemProps) {
  const more = columns.length - SHOWN_COLUMNS
  return (
    <li>
      <a href={dictionaryAddress(relation, wanted)} aria-current={isChosen ? 'true' : undefined}>
        {relation}
      </a>
      {columns.length > 0 && (
        <p class="quiet columns">
          {columns
            .slice(0, SHOWN_COLUMNS)
            .map(({ name }) => String(name))
            .join(', ')}
          {more > 0 ? ` and ${more} more` : ''}
        </p>
      )}
    </li>
  )
}

interface RelationProps {
  relation: Row
  columns: readonly Row[]
  nodes: readonly LineageNode[]
}

function Relation({ relation: { relation, comment }, columns, nodes }: RelationProps) {
  const name = String(relation)
  const sources = nodes.find((node) => node.name === name)?.reads ?? []
  const readers = nodes.filter(({ reads }) => reads.includes(name)).map((node) => node.name)
  return (
    <section class="card" aria-labelledby="relation">
      <h2 id="relation">{name}</h2>
      <p>{String(comment ?? '')}</p>
      <p>
        <a href={`#/sql/${encodeURIComponent(`select *\nfrom ${name}\nlimit 1000`)}`}>Ask it with SQL</a>
      </p>
      <Lineage name={name} sources={sources} readers={readers} />
      <RowsTable caption="Columns" columns="name type comment" rows={columns} empty="It has no columns." />
    </section>
  )
}

const WIDTH = 250
const GAP = 70
const ROW = 34

/** What it reads on the left, what reads it on the right; every box leads to its relation. */
function Lineage({
  name,
  sources,
  readers,
}: {
  name: string
  sources: readonly string[]
  readers: readonly string[]
}) {
  const rows = Math.max(1, sources.length, readers.length)
  const [height, middle] = [rows * ROW, (rows * ROW) / 2]
  const top = (index: number, count: number) => middle + (index - (count - 1) / 2) * ROW
  // Nothing on the left: no empty room there, in which a phone would show nothing else.
  const left = sources.length > 0 ? WIDTH + GAP : 0
  const right = left + WIDTH + GAP
  const curve = (x1: number, y1: number, x2: number, y2: number) =>
    `M${x1} ${y1}C${x1 + GAP / 2} ${y1} ${x2 - GAP / 2} ${y2} ${x2} ${y2}`
  return (
    <figure
      class="lineage"
      tabIndex={0}
      aria-label={`Lineage of ${name}: reads ${sources.length}, read by ${readers.length}`}
    >
      <svg width={readers.length > 0 ? right + WIDTH : left + WIDTH} height={height}>
        <title>{`Lineage of ${name}`}</title>
        {sources.map((source, index) => (
          <path key={source} d={curve(WIDTH, top(index, sources.length), left, middle)} />
        ))}
        {readers.map((reader, index) => (
          <path key={reader} d={curve(left + WIDTH, middle, right, top(index, readers.length))} />
        ))}
        {sources.map((source, index) => (
          <Box key={source} name={source} x={0} y={top(index, sources.length)} />
        ))}
        <Box name={name} x={left} y={middle} isChosen />
        {readers.map((reader, index) => (
          <Box key={reader} name={reader} x={right} y={top(index, readers.length)} />
        ))}
      </svg>
      <figcaption class="quiet">
        {sources.length > 0 ? 'On the left, what it reads. ' : ''}
        {readers.length > 0 ? 'On the right, what reads it.' : 'Nothing in the catalog reads it.'}
      </figcaption>
    </figure>
  )
}

function Box({ name, x, y, isChosen }: { name: string; x: number; y: number; isChosen?: boolean }) {
  const box = (
    <>
      <rect x={x + 1} y={y - 13} width={WIDTH - 2} height={26} rx={6} class={isChosen ? 'chosen' : ''} />
      <text x={x + 10} y={y + 5}>
        {name}
      </text>
    </>
  )
  return isChosen ? <g>{box}</g> : <a href={`#/dictionary/${name}`}>{box}</a>
}
