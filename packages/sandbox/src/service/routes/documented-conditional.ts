import { z } from 'zod'
import { CONDITIONAL_TYPES, type ConditionalType } from '../../broker/conditional/conditional-order.js'
import { REQUIRED_FIELDS } from '../../broker/conditional/conditional-rules.js'

/** Names of the schemas in the OpenAPI document. */
const TITLES: Readonly<Record<ConditionalType, string>> = {
  stop: 'NewStop',
  stop_limit: 'NewStopLimit',
  gtd: 'NewGtd',
  bullbear: 'NewBullbear',
  oco: 'NewOco',
  trailing_stop: 'NewTrailingStop',
  trailing_stop_limit: 'NewTrailingStopLimit',
}

const DIGITS = String.raw`\d{1,12}(\.\d{1,6})?`

/** A number, or one of the words that a field takes (docs/brokerage-api.md#prices-in-words). */
const written = (...words: readonly string[]): z.ZodType =>
  z.string().regex(new RegExp(`^(${[...words, DIGITS].join('|')})$`))

/** MAK is a word of the legs of an OCO alone. */
const LEG_WORDS = ['MP', 'MOK', 'MTL'] as const

/** Fields that are not a number when a type needs them. */
function neededField(type: ConditionalType, field: string): z.ZodType {
  if (field === 'operator')
    return z.enum(['greater_or_equal', 'lesser_or_equal', 'greater', 'lesser', 'equal'])
  if (field === 'price') return written()
  if (field !== 'tpPrice' && field !== 'slPrice') return z.number().nonnegative()
  return type === 'oco' ? written(...LEG_WORDS, 'MAK') : written(...LEG_WORDS)
}

/** What an order is sent at where its type needs no limit. */
const PRICE = z.union([written('', ...LEG_WORDS), z.number().nonnegative()]).nullish()

/**
 * The body of a conditional order as one schema per type, each with the fields that the type needs. The route itself takes the fields
 * of all types, and the desk says which one is missing.
 */
export function documentedConditional(place: z.ZodObject): z.ZodType {
  const variants = CONDITIONAL_TYPES.map((type) => {
    const needed = Object.fromEntries(REQUIRED_FIELDS[type].map((field) => [field, neededField(type, field)]))
    return place.extend({ price: PRICE, type: z.literal(type), ...needed }).meta({ title: TITLES[type] })
  })
  const [first, ...others] = variants
  if (!first) throw new RangeError('no type of conditional orders')
  return z.discriminatedUnion('type', [first, ...others]).meta({ title: 'NewConditionalOrder' })
}
