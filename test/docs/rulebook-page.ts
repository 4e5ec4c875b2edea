import { type MarketRule, marketRules } from 'candlehouse-foundation/market/rulebook'

const HEAD = `# The rulebook

By which rules the market trades, since when, and who says so: [data/reference/market_rules.csv](../data/reference/market_rules.csv),
written out by \`make docs\`. In SQL: \`mart.market_rule\` has these rows, the ticks and the phases of a trading day;
\`mart.instrument_rule_as_of('41I2FA000', DATE '2025-10-15')\` answers which of them apply to a symbol on a day.

A scope is \`*\`, a board, a board and a kind, or the derivatives market and an underlying; the most specific one applies. A row
begins on the first day that its source supports: what applied before is another row, or is not known. Certainty: \`published\` by an
exchange, the state, a broker's guide or two articles; \`measured\` on data; \`inferred\` from a weaker source, or its first day is.

Not settled: on which day between 2020-09-25 and 2024-07-25 the final settlement price of VN30 futures became a mean; since when the
first-day bands of HNX and UPCOM are as they are; tax rates after the law of 2026. Bond futures of ten years end on the 25th of
their month, those of five years on the 15th; a closed day moves both to the session before. Futures are taxed on half of their
margin (\`futures_tax\`), so \`sell_tax\` has no row for them. A warrant has no band: its limits are those of its share over its ratio.
`

/** `docs/rulebook.md`: every rule of the market with its validity and source. */
export function rulebookPage(): string {
  const names = [...new Set(marketRules().map(({ rule }) => rule))].sort()
  return `${[HEAD, ...names.map(section)].join('\n')}`
}

function section(name: string): string {
  const rows = marketRules()
    .filter(({ rule }) => rule === name)
    .map(line)
  return `## ${name}\n\n| scope | since | until | value | unit | certainty | source |\n| --- | --- | --- | --- | --- | --- | --- |\n${rows.join('\n')}\n`
}

function line({ scope, validFrom, validTo, value, unit, certainty, source }: MarketRule): string {
  return `| \`${scope}\` | ${[validFrom, validTo, `\`${value}\``, unit, certainty, source].join(' | ')} |`
}
