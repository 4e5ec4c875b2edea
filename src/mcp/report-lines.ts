import { readRules } from '../audit/rule.js'
import type { Effects } from '../effects.js'
import { withheldWords } from '../lake/withheld-rows.js'
import type { Account } from '../report/model/accounts.js'
import { extremesOf, foreignNet, type Market, moversOf, type SymbolDay } from '../report/model/market.js'
import { type Report, reportModel } from '../report/model/report.js'
import { shownConclusion } from './shown-conclusion.js'

/** Lines of a list of the report. */
const SHOWN = 8

/** The nightly report as text, for a model: fewer figures than the page, none of them rounded beyond what prose needs. */
export async function reportLines(home: string, hasAccounts: boolean, effects: Effects): Promise<string[]> {
  const report = await reportModel(home, {}, effects)
  return [
    `# Report of ${report.day}`,
    '',
    ...conclusionLines(report, hasAccounts),
    ...(report.market ? marketLines(report.market) : ['No session is stored.']),
    ...findingLines(report, hasAccounts),
    ...(hasAccounts ? report.accounts.flatMap(accountLines) : []),
  ]
}

function conclusionLines({ conclusion }: Report, hasAccounts: boolean): string[] {
  if (conclusion === null) return ['No run has left a conclusion for this day.', '']
  const { complete, trusted, reasons, next } = shownConclusion(conclusion, hasAccounts)
  return [
    `Complete: ${complete ? 'yes' : 'no'}. Trusted: ${trusted ? 'yes' : 'no'}.`,
    ...reasons.map((reason) => `- ${reason}`),
    ...next.map((line) => `- next: ${line}`),
    '',
  ]
}

function marketLines(market: Market): string[] {
  const { above, below } = moversOf(market.symbols, SHOWN)
  const foreign = extremesOf(market.symbols, foreignNet, SHOWN)
  const flow = market.flows.at(-1)
  return [
    `## The market on ${market.session}`,
    '',
    ...market.indexes.map(
      (index) =>
        `- ${index.index_code}: ${index.index_value ?? 'no value'}, change ${percent(index.change_part)}, advance ${index.advance ?? '?'}, decline ${index.decline ?? '?'}, matched value ${index.match_value ?? '?'} VND`,
    ),
    '',
    ...named('Largest rises (matched value of at least 1 bn VND)', above.map(moveOf)),
    ...named('Largest falls', below.map(moveOf)),
    ...named('Foreign net buying, VND', foreign.above.map(foreignOf)),
    ...named('Foreign net selling, VND', foreign.below.map(foreignOf)),
    ...(flow
      ? [
          `Foreign net ${flow.foreign_net ?? 'not known'} VND, proprietary net ${flow.proprietary_net ?? 'not known'} VND.`,
        ]
      : []),
    ...named(
      'Sectors by matched value',
      market.sectors
        .slice(0, SHOWN)
        .map(
          ({ sector, change_part, advance, decline }) =>
            `${sector} ${percent(change_part)} (${advance} up, ${decline} down)`,
        ),
    ),
  ]
}

function findingLines({ findings, withheld, coverage }: Report, hasAccounts: boolean): string[] {
  const marketRules = new Set(
    readRules()
      .filter(({ about }) => about === 'market')
      .map(({ number }) => number),
  )
  const open = findings.open.filter(({ rule }) => hasAccounts || marketRules.has(rule))
  const shown = withheld.filter(({ relation }) => hasAccounts || !relation.startsWith('account.'))
  const gaps = coverage.gaps.filter(({ dataset }) => hasAccounts || dataset !== 'snapshot')
  return [
    '',
    '## What to check',
    '',
    ...named(
      'Open findings',
      open.map(({ rule, title, state, tradingDate }) => `rule ${rule} (${state}, ${tradingDate}): ${title}`),
    ),
    ...named('Withheld, shown as published before', shown.map(withheldWords)),
    ...named(
      'Gaps',
      gaps.map(({ dataset, key, day, reason }) => `${dataset} ${key} ${day}: ${reason}`),
    ),
    ...(open.length + shown.length + gaps.length === 0 ? ['Nothing.'] : []),
  ]
}

function accountLines({ account, latest, positions }: Account): string[] {
  return [
    '',
    `## Account ${account} on ${latest.trading_date}`,
    '',
    `Snapshot ${latest.state}. Net asset value ${latest.net_asset_value ?? 'not known'} VND, change ${latest.change ?? 'not known'} VND, cash ${latest.net_cash ?? 'not known'} VND, debt ${latest.total_debt ?? 'not known'} VND.`,
    ...named(
      'Positions',
      positions.map(
        ({ symbol, quantity, market_value, unrealised_pnl }) =>
          `${symbol}: ${quantity}, value ${market_value ?? 'not known'} VND, unrealised ${unrealised_pnl ?? 'not known'} VND`,
      ),
    ),
  ]
}

function named(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`${title}:`, ...lines.map((line) => `- ${line}`), '']
}

function moveOf({ symbol, close, change_part }: SymbolDay): string {
  return `${symbol} ${close ?? 'no close'} (${percent(change_part)})`
}

function foreignOf(symbol: SymbolDay): string {
  return `${symbol.symbol} ${foreignNet(symbol) ?? 'not known'}`
}

function percent(part: number | null): string {
  return part === null ? 'not known' : `${(part * 100).toFixed(2)} %`
}
