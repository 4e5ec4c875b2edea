import type { McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'

/** What a person can choose in a client, instead of writing it: each leads through the tools in the right order. */
export function registerPrompts(server: McpServer, hasAccounts: boolean): void {
  server.registerPrompt(
    'morning_briefing',
    {
      title: 'Morning briefing',
      description: 'What happened in the last session, and whether the data are good',
    },
    () => message(BRIEFING),
  )
  server.registerPrompt(
    'explain_finding',
    {
      title: 'Explain a finding',
      description: 'What a rule found, whether it is a fault, and what to do',
      argsSchema: z.object({ rule: z.string().describe('Number of the rule, for example 8') }),
    },
    ({ rule }) => message(explainFinding(rule)),
  )
  if (!hasAccounts) return
  server.registerPrompt(
    'check_portfolio',
    { title: 'Check a portfolio', description: 'Positions, cash, margin and what is not reconciled' },
    () => message(PORTFOLIO),
  )
}

const BRIEFING = `Brief me on the last session of Vietnam's exchanges, in at most 25 lines.

1. Call status. Say first whether the night is complete and can be trusted, and which session is the newest; if it is stale, say so.
2. Read the resource candlehouse://report, or query mart.breadth, mart.daily_return, mart.foreign_flow and mart.sector for mart.latest_session().
3. Tell: indexes with their change, breadth, the largest moves of liquid stocks, sectors, foreign flow, sessions at the ceiling or floor, what is missing or withheld.

State only numbers that an answer contains. End with the publication, and with the statement_hash of each answer that you used.`

const PORTFOLIO = `Check my accounts.

1. Call status. Say whether the latest snapshot is complete.
2. Query mart.account_day, mart.account_position, mart.account_margin and mart.cash_forecast for the latest day.
3. Query recon.finding for rules about accounts whose state is not pass, and mart.position_match and mart.cash_match for what no order, settlement or fee explains.
4. Tell: value and change, the largest positions and their weights, distance to a margin call, cash to come, what is not reconciled and since when.

A null is not known: never take it for zero. State only numbers that an answer contains, trace any number that I would act on, and give no advice to buy or sell.`

function explainFinding(rule: string): string {
  const number = /^\d{1,3}$/.test(rule.trim()) ? rule.trim() : 'NUMBER'
  return `Explain what rule ${number} of candlehouse found.

1. Call find with "rule ${number}" for its statement and the reason why it should hold.
2. Query: select * from recon.finding where rule = ${number} order by trading_date desc limit 5
3. Query: select * from recon.offender where rule = ${number} order by trading_date desc limit 5
4. Trace the worst row: relation and key of recon.offender are what trace takes.

Tell in plain words: what should hold, the values of the row, those of the raw record, whether rows are withheld because of it, whether it is likely a fault of the service, of the data on the way, or genuine, and what to type next (candlehouse repair, or candlehouse publish --accept ${number} --because "…"). Say what you do not know.`
}

function message(text: string) {
  return { messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }] }
}
