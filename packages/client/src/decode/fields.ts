import { type RecordShape, type Row, readFlag, readText } from '../wire/record.js'
import { nameOf } from './json.js'

/**
 * What live deployments write where the specification writes `Broker` and `Depository`
 * (docs/market-facts.md#field-suffixes).
 */
export interface Suffixes {
  /** `BROKER_FIELD_SUFFIX`. @default `Broker` */
  readonly broker?: string
  /** `DEPOSITORY_FIELD_SUFFIX`. @default `Depository` */
  readonly depository?: string
}

/** Observations while reading; none of them stops the reading. */
export interface Notes {
  /** Names the specification does not have, once each: drift to record. */
  readonly drift: Set<string>
  /** Records that are not of this kind, and why. */
  readonly faults: { readonly at: string; readonly reason: string }[]
}

/**
 * Reads one record into the specification's names: in any case, with the deployment's suffixes or the
 * specification's own. Undefined (and noted) when it is not an object or a field is not of its type.
 */
export function readRow<Field extends string, Flag extends Field = never>(
  value: unknown,
  shape: RecordShape<Field, Flag>,
  suffixes: Suffixes,
  notes: Notes,
  at: string,
  nested: readonly string[] = [],
): Row<Field, Flag> | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    notes.faults.push({ at, reason: 'not an object' })
    return undefined
  }
  const names = lookup(shape, suffixes)
  const row = new Map<string, unknown>(shape.fields.map((field) => [field, null]))
  const seen = new Set<string>()
  for (const [key, field] of Object.entries(value)) {
    const name = nameOf(key)
    const lower = name.toLowerCase()
    // Which of two values is right nobody can say: the loader rejects such a record too.
    if (seen.has(lower)) {
      notes.faults.push({ at, reason: `two fields named ${JSON.stringify(name)}` })
      return undefined
    }
    seen.add(lower)
    const specName = names.get(lower)
    if (specName !== undefined) row.set(specName, field)
    else if (!nested.includes(lower)) notes.drift.add(name)
  }
  const flags: ReadonlySet<string> = shape.flags
  const values = new Map<string, string | boolean | null>()
  for (const [field, given] of row) {
    const read = flags.has(field) ? readFlag(given) : readText(given)
    if (read.problem !== undefined) {
      notes.faults.push({ at, reason: `${field}: ${read.problem}` })
      return undefined
    }
    values.set(field, read.value)
  }
  // Object.fromEntries forgets the names; the shape that they come from does not.
  return Object.fromEntries(values) as Row<Field, Flag>
}

const BROKER = 'broker'
const DEPOSITORY = 'depository'

function lookup<Field extends string, Flag extends Field>(
  shape: RecordShape<Field, Flag>,
  suffixes: Suffixes,
): Map<string, Field> {
  const names = new Map<string, Field>()
  for (const [alias, field] of Object.entries(shape.aliases)) names.set(alias.toLowerCase(), field)
  for (const field of shape.fields) {
    const name = field.toLowerCase()
    if (name.endsWith(BROKER)) names.set(replaced(name, BROKER, suffixes.broker), field)
    if (name.endsWith(DEPOSITORY)) names.set(replaced(name, DEPOSITORY, suffixes.depository), field)
  }
  // The specification's own names win over aliases and over a suffix that makes two names one.
  for (const field of shape.fields) names.set(field.toLowerCase(), field)
  return names
}

function replaced(name: string, ending: string, suffix: string | undefined): string {
  return name.slice(0, -ending.length) + (suffix?.toLowerCase() || ending)
}
