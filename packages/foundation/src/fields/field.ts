import { FIELD_TYPES, type FieldType } from './field-type.js'

/** One field of a record of the API: on the wire, in the warehouse, and in words. */
export interface Field<Type extends FieldType = FieldType> {
  readonly type: Type
  /** What it is, without its unit; empty where the specification does not say. */
  readonly meaning: string
  /** Of its values, in words; undefined: that of its type, if types have one. */
  readonly unit?: string
  /** What else a reader of the column should know. */
  readonly remark?: string
  /** Its column where that is not its name in snake_case; null: it has none. */
  readonly column?: string | null
  /** Another name, seen on live deployments. */
  readonly live?: string
  /** First trading date whose answers have it; undefined: all have it. */
  readonly since?: string
  /** Whether a record without it is rejected. */
  readonly isRequired?: true
  /** Whether the request names it: a record may lack it, and one with another value is rejected. */
  readonly isAsked?: true
  /** Whether the service computes it from others: binary noise costs the field, not the record. */
  readonly isComputed?: true
  /** Whether the value is of the moment: another one does not begin a new validity of a list's row. */
  readonly isOfMoment?: true
}

/** The fields of a record by their names on the wire, in the order of the specification. */
export type FieldTable = Readonly<Record<string, Field>>

export type FieldName<Table extends FieldTable> = keyof Table & string

/** Names of fields that are true or false. */
export type FlagName<Table extends FieldTable> = {
  [Name in FieldName<Table>]: Table[Name] extends Field<'flag'> ? Name : never
}[FieldName<Table>]

/** Columns that a table's fields fill, with their fields, in the table's order. */
export interface FieldColumn {
  readonly column: string
  readonly name: string
  readonly field: Field
}

/** Names of the fields on the wire, in the order of the table. */
export function fieldNames<Table extends FieldTable>(table: Table): readonly FieldName<Table>[] {
  return Object.keys(table) as FieldName<Table>[]
}

export function flagNames<Table extends FieldTable>(table: Table): readonly FlagName<Table>[] {
  return fieldNames(table).filter((name) => table[name]?.type === 'flag') as FlagName<Table>[]
}

/** The same with the names of live deployments, each after the specification's. */
export function receivedNames(table: FieldTable): string[] {
  return Object.entries(table).flatMap(([name, { live }]) => (live === undefined ? [name] : [name, live]))
}

/** Names of live deployments → the specification's. */
export function liveNames<Table extends FieldTable>(
  table: Table,
): Readonly<Record<string, FieldName<Table>>> {
  return Object.fromEntries(
    fieldNames(table).flatMap((name) => {
      const { live } = table[name] as Field
      return live === undefined ? [] : [[live, name]]
    }),
  )
}

export function fieldColumns(table: FieldTable): FieldColumn[] {
  return Object.entries(table).flatMap(([name, field]) => {
    const column = field.column === undefined ? snakeCase(name) : field.column
    return column === null ? [] : [{ column, name, field }]
  })
}

/** The comment of a field's column: `Debt in all, VND.` */
export function commentOf(name: string, field: Field): string {
  const unit = field.unit ?? FIELD_TYPES[field.type].unit
  const [, what = name, side] = /^(.+?)(?:_?(broker|depository))?$/i.exec(name) ?? []
  const meaning = field.meaning || (side ? `${what} at the ${side.toLowerCase()}` : what)
  const remarks = [
    field.meaning ? field.remark : 'its meaning is not given by the specification',
    field.since && `null before ${field.since}`,
  ]
  return `${[[meaning, unit].filter(Boolean).join(', '), ...remarks].filter(Boolean).join('; ')}.`
}

/** `tradingPL` → `trading_pl`, `callLMVBroker` → `call_lmv_broker`. */
export function snakeCase(name: string): string {
  return name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toLowerCase()
}

type More = Omit<Field, 'type' | 'meaning'>

const ofType =
  <Type extends FieldType>(type: Type) =>
  (meaning = '', more: More = {}): Field<Type> => ({ type, meaning, ...more })

export const text = ofType('text')
export const day = ofType('day')
export const localTime = ofType('localTime')
export const instant = ofType('instant')
export const price = ofType('price')
export const priceOrWord = ofType('priceOrWord')
export const quantity = ofType('quantity')
export const money = ofType('money')
export const candleValue = ofType('candleValue')
export const ratio = ofType('ratio')
export const flag = ofType('flag')
