import type { Row } from '../standin/index.js'

/** How a field of a record may be wrong; undefined takes it away. */
const WAYS: readonly ((value: unknown) => unknown)[] = [
  () => undefined,
  () => null,
  () => '',
  () => '0',
  () => 'NaN',
  (value) => ` ${String(value)} `,
  (value) => Number(value),
  (value) => `-${String(value)}`,
  (value) => `${String(value)}.5`,
  (value) => `${String(value)}0000000000`,
  (value) => Number(value) + 1e-13,
  (value) => String(value).toLowerCase(),
  (value) => String(value).replaceAll('/', '-'),
  (value) => [value],
]

/** How many records have a wrong field, and how many are gone, or there twice. */
export interface Rates {
  readonly wrong: number
  readonly gone: number
  readonly twice: number
}

/** Records of an answer as a bad evening would bring them. */
export function disturbed<Record extends object>(
  records: readonly Record[],
  { wrong, gone, twice }: Rates,
  random: () => number,
): Record[] {
  const pick = <Item>(items: readonly Item[]): Item | undefined => items[Math.floor(random() * items.length)]
  const changed = (record: Record): Record => {
    const field = pick(Object.keys(record))
    const way = pick(WAYS)
    if (field === undefined || way === undefined) return record
    const { [field]: value, ...others } = record as Row
    const now = way(value)
    return (now === undefined ? others : { ...others, [field]: now }) as Record
  }
  return records.flatMap((record) => {
    if (random() < gone) return []
    const first = random() < wrong ? changed(record) : record
    return random() < twice ? [first, changed(record)] : [first]
  })
}
