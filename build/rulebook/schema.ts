import { TRADING_BOARDS } from 'candlehouse-foundation/market/board'
import { CERTAINTIES } from 'candlehouse-foundation/market/rulebook'
import { PHASES } from 'candlehouse-foundation/market/sessions'
import { z } from 'zod'

const day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/)
const time = z.string().regex(/^\d{2}:\d{2}$/)

/** What every row has: how long it applies, who says so, how sure that is. */
const dated = {
  valid_from: day.describe('First day for which the source supports the row.'),
  valid_to: day.nullable().describe('Last day, included; null: it still applies.'),
  source: z.string().min(1).describe('Where it is stated: addresses, and what of the row they do not state.'),
  certainty: z
    .enum(CERTAINTIES)
    .describe(
      'published by an exchange, the state or two sources; measured on data; inferred from a weaker source.',
    ),
}

const board = z.enum(TRADING_BOARDS)

/** `rulebook.json`: rows in snake_case, as the columns of `mart.market_rule` and of data/reference. */
export const rulebookSchema = z
  .strictObject({
    $schema: z.literal('./rulebook.schema.json'),
    version: z.string().describe('Version of candlehouse that wrote the file.'),
    rules: z
      .array(
        z.strictObject({
          rule: z.string().regex(/^[a-z_]+$/),
          scope: z
            .string()
            .regex(/^(\*|[A-Z]+(\/\w+)?)$/)
            .describe(
              'For what: *, a board, a board and a kind (HOSE/etf), futures by underlying (DERIVATIVE/VN30). The most specific scope applies.',
            ),
          value: z.string().min(1).describe('The rule, as text.'),
          unit: z.string().nullable(),
          ...dated,
        }),
      )
      .describe(
        'Bands, lots, settlement, taxes, fees, codes and terms of futures, order types, index families and others.',
      ),
    ticks: z
      .array(
        z.strictObject({
          board,
          kind: z.string().describe('stock, etf, covered_warrant; of a future, its underlying.'),
          price_from: z.number().nonnegative().describe('Price from which the tick applies: VND, or points.'),
          tick: z.number().positive(),
          ...dated,
        }),
      )
      .describe('Price steps.'),
    phases: z
      .array(
        z.strictObject({
          board,
          phase: z.enum(PHASES),
          starts: time.describe('Exchange time, UTC+7.'),
          ends: time.describe('Exchange time; not part of the phase. An auction matches then.'),
          ...dated,
        }),
      )
      .describe('Phases of a trading day, the same on every weekday.'),
    closed_days: z
      .array(
        z.strictObject({
          day: day.describe('A weekday.'),
          closed_for: z.string().min(1),
          source: dated.source,
          certainty: dated.certainty,
        }),
      )
      .describe(
        'Weekdays without a session, ascending; holidays of the rule fixed_holidays are closed in every year.',
      ),
  })
  .describe(
    'The rules of the Vietnamese securities market (HOSE, HNX, UPCOM, derivatives) with dates, sources and certainty.',
  )

export type Rulebook = z.infer<typeof rulebookSchema>
