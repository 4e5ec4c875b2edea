import { type DatasetName, datasets } from '../../plan/datasets.js'

/**
 * A field of an answer is lost if at least this share of the records that should fill it do not. Half of the records of an
 * answer is a fault that was seen; one third leaves room for records that say nothing about the field. No field of a real
 * session comes near it: symbols that did not trade, whose fields may all be empty, are not counted.
 */
export const LOST_SHARE = 1 / 3

/**
 * … and at least so many records, or all of an answer that has fewer: one or two rows may be restated to null, and one future of
 * thirteen symbols may have no settlement price yet. An index has one record per session.
 */
const FEWEST_RECORDS = 3

/**
 * Calendar days that a value proves its field for: about 28 sessions. A field that the service no longer has is reported for as
 * long; after that it counts as withdrawn, and windows are complete without it.
 */
export const EVIDENCE_DAYS = 40

/** What the specification and the other fields of a record say about one column. Conditions are SQL about the row `received`. */
export interface FieldRule {
  /** Where it holds, null cannot be right, also on the first night: few fields, which no known deployment lacks. */
  readonly filled?: string
  /** Where it holds, zero cannot be right: another field of the record contradicts it. */
  readonly nonZero?: string
  /**
   * Whether a zero counts as null where others are lost too: it is neither a value, nor evidence of one. A single one may be
   * right: a foreign room that is used up.
   */
  readonly isNeverZero?: boolean
}

interface DatasetRules {
  /** Where it holds, earlier values of a key say that its fields have values now. */
  readonly isActive: string
  /** Number of records that have lost a field, at least; all records of an answer that has fewer. */
  readonly fewestRecords: number
  readonly columns: Readonly<Record<string, FieldRule>>
}

const TRADED =
  'coalesce(received.total_match <> 0, false) OR coalesce(received.total_match_value <> 0, false)'

const ANY_LIMIT = 'received.ceiling <> 0 OR received.floor <> 0 OR received.ref_price <> 0'

/** Below it a value in VND, or a number of shares, may stand beside a zero: services round both. */
const MATERIAL = { value: 20_000_000, quantity: 1_000 }

/** Quantity and value of the same trades: neither is zero where the other is material. */
function pairs(...names: string[]): Record<string, FieldRule> {
  return Object.fromEntries(
    names.flatMap((name): [string, FieldRule][] => [
      [name, { nonZero: `received.${name}_value >= ${MATERIAL.value}` }],
      [`${name}_value`, { nonZero: `received.${name} >= ${MATERIAL.quantity}` }],
    ]),
  )
}

function each(names: string, rule: FieldRule): Record<string, FieldRule> {
  return Object.fromEntries(names.split(' ').map((name) => [name, rule]))
}

/** A percentage has two decimals: below 0.01 % it is zero. */
function percentage(change: string, price: string): FieldRule {
  return { nonZero: `abs(received.${change}) * 10000 > abs(received.${price})` }
}

/** Neither null nor zero where a condition holds. */
function present(condition: string): FieldRule {
  return { filled: condition, nonZero: condition }
}

const MATCHED = {
  total_match: present('received.total_match_value <> 0'),
  total_match_value: { nonZero: 'received.total_match <> 0' },
}

/** What traded in all without put-through was matched: quantity and value of an index cannot hide each other. */
const MATCHED_OF_INDEX = {
  total_match: present(
    `received.total_match_value <> 0 OR received.total_trade - coalesce(received.total_deal, 0) >= ${MATERIAL.quantity}`,
  ),
  total_match_value: {
    nonZero: `received.total_match <> 0
      OR received.total_trade_value - coalesce(received.total_deal_value, 0) >= ${MATERIAL.value}`,
  },
}

/** A bar exists because something traded (docs/market-facts.md#minute-bars). */
const PRICE_OF_BAR: FieldRule = {
  filled: 'true',
  nonZero: 'received.volume <> 0 OR received.value <> 0',
}

/** Rules by dataset. A column without a rule is proven by earlier values of its key alone. */
export const FIELD_RULES: Readonly<Partial<Record<DatasetName, DatasetRules>>> = {
  securities: {
    isActive: 'true',
    fewestRecords: FEWEST_RECORDS,
    columns: {
      // The list of a board is requested by its name.
      board: { filled: 'true' },
      ...each('lot_size listed_share cw_exercise_price i_index i_nav open_interest settlement_price', {
        isNeverZero: true,
      }),
    },
  },
  indexes: { isActive: 'true', fewestRecords: FEWEST_RECORDS, columns: { board: { filled: 'true' } } },
  securitiesSummary: {
    isActive: TRADED,
    fewestRecords: FEWEST_RECORDS,
    columns: {
      ...MATCHED,
      // The prices of a session that traded come together.
      ...each('open low close', present(`(${TRADED}) AND received.high <> 0`)),
      high: present(`(${TRADED}) AND received.low <> 0`),
      // A trade has a buy order and a sell order.
      ...each('average total_buy total_trade_buy total_sell total_trade_sell', { isNeverZero: true }),
      ...pairs('total_deal', 'total_foreign_buy', 'total_foreign_sell'),
      price_change: { nonZero: 'received.price_change_percentage <> 0' },
      price_change_percentage: percentage('price_change', 'close'),
      ...each('remain_foreign_room total_foreign_room open_interest settlement_price', { isNeverZero: true }),
    },
  },
  indexSummary: {
    isActive: 'true',
    fewestRecords: FEWEST_RECORDS,
    columns: {
      ...MATCHED_OF_INDEX,
      ...pairs('total_deal', 'total_prop_buy', 'total_prop_sell'),
      total_trade: { nonZero: 'received.total_match <> 0' },
      total_trade_value: { nonZero: 'received.total_match_value <> 0' },
      index_value: { ...present(TRADED), isNeverZero: true },
      index_change: { nonZero: 'received.index_change_percentage <> 0' },
      index_change_percentage: percentage('index_change', 'index_value'),
    },
  },
  masterdata: {
    isActive: 'true',
    fewestRecords: FEWEST_RECORDS,
    columns: {
      ref_price: present(ANY_LIMIT),
      // Some instruments have a reference and no limits, none has one limit.
      ceiling: { ...present('received.floor <> 0'), isNeverZero: true },
      floor: { ...present('received.ceiling <> 0'), isNeverZero: true },
    },
  },
  ohlc: {
    isActive: 'false',
    // No bar of any symbol may lack anything, and many symbols have few bars.
    fewestRecords: 1,
    columns: {
      ...each('open high low close', PRICE_OF_BAR),
      volume: { filled: 'true', nonZero: 'received.value <> 0' },
      value: { filled: 'true', nonZero: 'received.volume <> 0' },
    },
  },
}

/**
 * Whether the service computes fields of the dataset from others: binary noise in one of them costs the field, not the record
 * (`noise` of `sql/load/DATASET.sql`). Prices of trades, volumes, values and limits are exact: their records are rejected.
 */
export function hasDerivedFields(name: DatasetName): boolean {
  return Object.values(datasets[name].table).some(({ isComputed }) => isComputed)
}
