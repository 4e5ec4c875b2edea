import { useState } from 'preact/hooks'
import type { LineageNode } from '../reference.js'
import { get, type Row, view } from './api.js'
import { Failure } from './command.js'
import { useLoaded } from './loaded.js'
import { NoSuch } from './no-such.js'
import { RowsTable } from './rows-table.js'

export function DictionaryPage({ words }: { words: readonly string[] }) {
  const [wanted, setWanted] = useState('')
  const { value, error } = useLoaded(
    async () => await Promise.all([view('relations'), get<LineageNode[]>('/api/lineage')]),
    [],
  )
  if (!value) return error ? <Failure error={error} /> : <p class="quiet">Loading…</p>
  const [relations, nodes] = value
  const shown = relations.filter(({ relation, comment }) =>
    `${relation} ${comment}`.toLowerCase().includes(wanted.trim().toLowerCase()),
  )
  const named = relations.find(({ relation }) => relation === words[0])
  const chosen = named ?? relations.find(({ relation }) => relation === 'market.candle')
  return (
    <>
      <h1>Dictionary</h1>
      {words[0] && !named && <NoSuch what="relation" name={words[0]} shown="all relations" />}
      <div class="sides">
        <nav class="card" aria-label="Relations">
          <label class="field">
            Find
            <input type="search" value={wanted} onInput={(event) => setWanted(event.currentTarget.value)} />
          </label>
          <ul class="names">
            {shown.map(({ relation }) => (
              <li key={String(relation)}>
                <a
                  href={`#/dictionary/${relation}`}
                  aria-current={relation === chosen?.relation ? 'true' : undefined}
                >
                  {String(relation)}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        {chosen && <Relation relation={chosen} nodes={nodes} />}
      </div>
    </>
  )
}

function Relation({
  relation: { relation, comment },
  nodes,
}: {
  relation: Row
  nodes: readonly LineageNode[]
}) {
  const name = String(relation)
  const { value = [], error } = useLoaded(() => view('relation_columns', { relation: name }), [name])
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
      {error && <Failure error={error} />}
      <RowsTable caption="Columns" columns="name type comment" rows={value} empty="Loading…" />
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
