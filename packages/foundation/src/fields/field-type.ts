/** How values of a type are read and stored. */
interface FieldTypeFacts {
  /** The type of its column. */
  readonly sql: string
  /** The macro of `sql/parse` that reads its text; null: any text is a value, and an empty one is null. */
  readonly parser: string | null
  /** What a text that cannot be read is not, in the reason for which its record is rejected; null: every text can. */
  readonly expected: string | null
  /** Unit of its values where a field does not state one. */
  readonly unit?: string
}

const DECIMALS = 'a plain number with at most'

const types = {
  text: { sql: 'VARCHAR', parser: null, expected: null },
  day: { sql: 'DATE', parser: 'parse_day', expected: 'a date' },
  localTime: { sql: 'TIMESTAMP', parser: 'parse_local_time', expected: 'a date and time' },
  instant: { sql: 'TIMESTAMPTZ', parser: 'parse_instant', expected: 'a date and time' },
  price: { sql: 'DECIMAL(18,6)', parser: 'parse_price', expected: `${DECIMALS} 6 decimals` },
  priceOrWord: { sql: 'VARCHAR', parser: 'parse_price_or_word', expected: null },
  quantity: { sql: 'BIGINT', parser: 'parse_quantity', expected: 'a whole number' },
  money: { sql: 'DECIMAL(24,4)', parser: 'parse_money', expected: `${DECIMALS} 4 decimals`, unit: 'VND' },
  candleValue: {
    sql: 'DECIMAL(18,2)',
    parser: 'parse_candle_value',
    expected: `${DECIMALS} 2 decimals`,
    unit: 'VND',
  },
  ratio: { sql: 'DOUBLE', parser: 'parse_ratio', expected: 'a plain number' },
  flag: { sql: 'BOOLEAN', parser: 'parse_flag', expected: 'true or false' },
} satisfies Readonly<Record<string, FieldTypeFacts>>

export type FieldType = keyof typeof types

export const FIELD_TYPES: Readonly<Record<FieldType, FieldTypeFacts>> = types
