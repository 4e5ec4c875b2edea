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

/** Fields that are not a number when a type needs them. */
const WRITTEN: Readonly<Record<string, z.ZodType>> = {
  price: z.string().regex(/^\d{1,12}(\.\d{1,6})?$/),
  tpPrice: z.string().regex(/^(MP|MOK|MTL|MAK|\d{1,12}(\.\d{1,6})?)$/),
  slPrice: z.string().regex(/^(MP|MOK|MTL|MAK|\d{1,12}(\.\d{1,6})?)$/),
  operator: z.enum(['greater_or_equal', 'lesser_or_equal', 'greater', 'lesser', 'equal']),
}

/**
 * The body of a conditional order as one schema per type, each with the fields that the type needs. The route itself takes the fields
 * of all types, and the desk says which one is missing.
 */
export function documentedConditional(place: z.ZodObject): z.ZodType {
  const variants = CONDITIONAL_TYPES.map((type) => {
    const needed = Object.fromEntries(
      REQUIRED_FIELDS[type].map((field) => [field, WRITTEN[field] ?? z.number().nonnegative()]),
    )
    return place.extend({ type: z.literal(type), ...needed }).meta({ title: TITLES[type] })
  })
  const [first, ...others] = variants
  if (!first) throw new RangeError('no type of conditional orders')
  return z.discriminatedUnion('type', [first, ...others]).meta({ title: 'NewConditionalOrder' })
}
