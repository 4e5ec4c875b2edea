import type { Reader } from '../duckdb/reader.js'
import { computedFrom, martObjects } from '../mart/objects.js'
import { type Trace, traceOn } from '../read/trace/trace.js'
import { type Relation, relations } from '../relations.js'

/** One fact on the way from a row to its raw record: of which relation, which step, its name, its value. */
export type TracedFact = readonly [relation: string, step: string, name: string, value: unknown]

/** Steps on the way from a value to its record, as facts; and which relations have no row with that key. */
export interface TracedRows {
  readonly facts: readonly TracedFact[]
  readonly notes: readonly string[]
}

/** Stored rows that a view is computed from, at most. */
const MOST_ORIGINS = 4

/**
 * Traces a row of a stored relation to its page; of a view, the stored rows with the same key that it is computed from.
 *
 * @throws UsageError for a relation, a key or a row that does not exist, naming the nearest ones
 */
export async function tracedRows(
  reader: Reader,
  home: string,
  relation: string,
  key: Readonly<Record<string, string>>,
): Promise<TracedRows> {
  const view = martObjects().find(({ name, kind }) => `mart.${name}` === relation && kind === 'view')
  const isStored = relations.some(({ name }) => name === relation)
  if (!view || isStored)
    return { facts: factsOf(await traceOn(reader, home, relation, [JSON.stringify(key)])), notes: [] }
  const origins = originsOf(relation, key)
  const traces: Trace[] = []
  const without: string[] = []
  for (const origin of origins) {
    const part = Object.fromEntries(origin.key.map((column) => [column, key[column] ?? '']))
    if (traces.length === MOST_ORIGINS) break
    try {
      traces.push(await traceOn(reader, home, origin.name, [JSON.stringify(part)]))
    } catch {
      without.push(origin.name)
    }
  }
  // Names the view's sources and what to trace instead.
  if (traces.length === 0) await traceOn(reader, home, relation, [JSON.stringify(key)])
  const others = [...computedFrom(relation)].filter(
    (name) =>
      relations.some((each) => each.name === name) && !traces.some((trace) => trace.relation === name),
  )
  return {
    facts: traces.flatMap(factsOf),
    notes: [
      `${relation} is computed: these are the stored rows with the same key`,
      ...(others.length > 0 ? [`it reads other rows of ${others.sort().join(', ')} too`] : []),
      ...(without.length > 0 ? [`no row with this key: ${without.join(', ')}`] : []),
    ],
  }
}

/** Stored relations below a view whose key is named by the given one: those about sessions first. */
function originsOf(view: string, key: Readonly<Record<string, string>>): Relation[] {
  const below = computedFrom(view)
  return (
    relations
      .filter(({ name, key: columns }) => below.has(name) && columns.every((column) => column in key))
      // Received rows before computed ones: they have a record.
      .sort((a, b) => Number(isComputed(a)) - Number(isComputed(b)) || b.key.length - a.key.length)
  )
}

function isComputed({ name }: Relation): boolean {
  return name.startsWith('mart.')
}

function factsOf(trace: Trace): TracedFact[] {
  const { relation, row, page, raw, record, body, run, revisions, findings, derivedFrom } = trace
  const of = (step: string, values: Readonly<Record<string, unknown>> | null): TracedFact[] =>
    Object.entries(values ?? {})
      .filter(([, value]) => value !== null)
      .map(([name, value]) => [relation, step, name, textOf(value)])
  return [
    ...of('row', row),
    ...(record
      ? of('record', {
          text: record.text,
          ...(record.position === null ? {} : { position: record.position, of: record.of }),
        })
      : of('record', body === null ? null : { page: body })),
    ...of('raw file', raw as Readonly<Record<string, unknown>> | null),
    ...of('page', page),
    ...revisions.flatMap((revision) =>
      of('earlier value', revision as unknown as Readonly<Record<string, unknown>>),
    ),
    ...findings.flatMap((finding) => of('finding', finding as unknown as Readonly<Record<string, unknown>>)),
    ...(derivedFrom?.bars ?? []).flatMap((bar) => of('derived from bar', bar)),
    ...of('derived from daily summary', derivedFrom?.summary ?? null),
    ...of('run', run),
  ]
}

function textOf(value: unknown): unknown {
  return typeof value === 'object' ? JSON.stringify(value) : value
}
