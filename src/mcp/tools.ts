import type { CallToolResult, McpServer, ServerContext } from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { AssistantLimits } from './assistant-limits.js'
import type { Call, Calls } from './calls.js'
import * as texts from './tool-texts.js'

/** Answers a call, or says what went wrong. */
export type Reply = (call: () => Call, context: ServerContext) => Promise<CallToolResult>

const ANSWER = z.object({
  publication: z.object({
    id: z.number(),
    published_at: z.string(),
    latest_session: z.string().nullable(),
  }),
  columns: z.array(z.object({ name: z.string(), type: z.string() })),
  rows: z.array(z.array(z.unknown())),
  truncated: z.boolean(),
  statement_hash: z.string(),
  not_covered: z
    .object({ range: z.string(), gaps: z.number(), withheld: z.number(), shown: z.array(z.string()) })
    .optional(),
  rows_behind: z.object({ statement_hash: z.string(), sql: z.string() }).optional(),
  stale: z.string().nullable(),
  notes: z.array(z.string()),
})

const READ_ONLY = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }

/** The tools of the server. All of them only read. */
export function registerTools(server: McpServer, limits: AssistantLimits, calls: Calls, reply: Reply): void {
  registerQuery(server, limits, calls, reply)
  server.registerTool(
    'describe',
    {
      title: 'Describe a relation',
      description: texts.DESCRIBE,
      inputSchema: z.object({ relation: z.string().describe('For example mart.daily_adjusted') }),
      outputSchema: ANSWER,
      annotations: READ_ONLY,
    },
    ({ relation }, context) => reply(() => ({ tool: 'describe', relation }), context),
  )
  server.registerTool(
    'find',
    {
      title: 'Find what answers a question',
      description: texts.FIND,
      inputSchema: z.object({
        text: z.string().describe('Words, for example: foreign net buying by sector'),
      }),
      outputSchema: ANSWER,
      annotations: READ_ONLY,
    },
    ({ text }, context) => reply(() => ({ tool: 'find', text }), context),
  )
  server.registerTool(
    'trace',
    {
      title: 'Trace a value to its raw record',
      description: texts.TRACE,
      inputSchema: z.object({
        relation: z.string().describe('A stored relation, or a view of schema mart'),
        key: z
          .record(z.string(), z.union([z.string(), z.number()]))
          .describe('Its key: column and value, for example {"symbol": "FPT", "trading_date": "2026-11-20"}'),
      }),
      outputSchema: ANSWER,
      annotations: READ_ONLY,
    },
    ({ relation, key }, context) => reply(() => ({ tool: 'trace', relation, key: textsOf(key) }), context),
  )
  server.registerTool(
    'status',
    {
      title: 'State of the data',
      description: texts.STATUS,
      inputSchema: z.object({}),
      outputSchema: ANSWER,
      annotations: READ_ONLY,
    },
    (_, context) => reply(() => ({ tool: 'status' }), context),
  )
}

function registerQuery(server: McpServer, limits: AssistantLimits, calls: Calls, reply: Reply): void {
  server.registerTool(
    'query',
    {
      title: 'Query the warehouse',
      description: texts.QUERY,
      inputSchema: z.object({
        sql: z.string().optional().describe('One SELECT statement of DuckDB'),
        limit: z
          .number()
          .int()
          .min(0)
          .optional()
          .describe(`Rows of the answer: ${limits.usualRows} unless given, ${limits.rows} at most`),
        statement_hash: z
          .string()
          .optional()
          .describe('Instead of sql: runs the call with this hash again, as an earlier answer named it'),
      }),
      outputSchema: ANSWER,
      annotations: READ_ONLY,
    },
    ({ sql, limit = limits.usualRows, statement_hash: hash }, context) =>
      reply(() => (hash === undefined ? { tool: 'query', sql: sql ?? '', limit } : calls.get(hash)), context),
  )
}

function textsOf(key: Readonly<Record<string, string | number>>): Record<string, string> {
  return Object.fromEntries(Object.entries(key).map(([column, value]) => [column, String(value)]))
}
