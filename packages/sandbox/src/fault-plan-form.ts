import { z } from 'zod'

const headers = z.record(z.string().regex(/^[\w-]{1,60}$/), z.string().regex(/^[\x20-\x7e]*$/))

const fault = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('status'),
    status: z.int().min(200).max(599),
    body: z.string().optional(),
    headers: headers.optional(),
  }),
  z.strictObject({ kind: z.literal('headers'), headers }),
  z.strictObject({ kind: z.enum(['reset', 'drop', 'truncate', 'truncateGzip', 'expiredToken']) }),
  z.strictObject({ kind: z.literal('delay'), ms: z.int().min(0).max(600_000) }),
  z.strictObject({ kind: z.literal('itemsCount'), by: z.int() }),
  z.strictObject({
    kind: z.literal('duplicateRow'),
    row: z.int().nonnegative().optional(),
    change: z.record(z.string(), z.unknown()).optional(),
  }),
  z.strictObject({
    kind: z.literal('mutate'),
    symbol: z.string().optional(),
    tradingDate: z.string().optional(),
    field: z.string(),
    value: z.unknown(),
  }),
  z.strictObject({ kind: z.literal('omitRow'), symbol: z.string().optional() }),
  z.strictObject({ kind: z.literal('body'), body: z.string() }),
])

/** A plan of faults as it is posted, or read from a file. */
export const faultPlanForm = z.strictObject({
  faults: z
    .array(
      z.strictObject({
        route: z.string().min(1).describe('end of the path, like ohlc or /auth/token'),
        nth: z.union([z.int().positive(), z.literal('every')]).describe('which matching call, from 1'),
        query: z.record(z.string(), z.string()).optional().describe('only calls with these parameters'),
        fault,
      }),
    )
    .max(1_000),
})
