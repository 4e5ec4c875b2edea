import type { Row } from '../../standin/index.js'
import { snakeCase } from './snake-case.js'

/** How one field of a record is wrong. */
export const FIELD_FAULTS = ['missing', 'renamed', 'null', 'zero', 'another type'] as const
export type FieldFault = (typeof FIELD_FAULTS)[number]

/** A zero is true of many fields. */
export const FAULTS_BUT_ZERO = FIELD_FAULTS.filter((fault) => fault !== 'zero')

/** The record with a fault in one field, where it has that field. */
export function withFault(row: Row, field: string, fault: FieldFault): Row {
  return Object.fromEntries(
    Object.entries(row).flatMap(([name, value]) =>
      name === field ? wrong(name, value, fault) : [[name, value]],
    ),
  )
}

function wrong(name: string, value: unknown, fault: FieldFault): [string, unknown][] {
  switch (fault) {
    case 'missing':
      return []
    case 'renamed':
      return [[`${snakeCase(name)}_x`, value]]
    case 'null':
      return [[name, null]]
    case 'zero':
      return [[name, '0']]
    case 'another type':
      return [[name, OTHER_TYPES[name.length % OTHER_TYPES.length]?.(value)]]
  }
}

/** One for each field, so that all of them come. */
const OTHER_TYPES: readonly ((value: unknown) => unknown)[] = [
  (value) => ({ value }),
  () => true,
  (value) => [value],
]
