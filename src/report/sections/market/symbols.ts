import { signedBars } from '../../charts/bar-charts.js'
import type { Draw } from '../../charts/draw.js'
import { MAPPED, marketMap } from '../../charts/market-map.js'
import { ARROWS, colorOf, toneOfSymbol } from '../../charts/tones.js'
import { change, decimal, money, plural, price, share } from '../../figures.js'
import { type Html, html } from '../../html.js'
import { by, MOVER_VALUE, moversOf, type SymbolDay } from '../../model/market.js'
import { columns, figure, nothing, table, toned, tonedChange } from '../blocks.js'

/** Where the money went. */
export function mapFigure(symbols: readonly SymbolDay[], draw: Draw): Html | false {
  const traded = symbols.filter(({ match_value }) => (match_value ?? 0) > 0)
  if (traded.length === 0) return false
  const shown = traded.slice(0, MAPPED.wide)
  const value = (list: readonly SymbolDay[]): number =>
    list.reduce((sum, { match_value }) => sum + (match_value ?? 0), 0)
  const top = shown.slice(0, 3).map(({ symbol }) => symbol)
  const sentence = `${money(value(traded))} VND traded in ${plural(traded.length, 'symbol')}; most in ${top.join(', ')}.`
  return figure(
    'Where the money went',
    html`${sentence} Areas are value traded, tints are changes: the stronger, the larger.`,
    draw(`Where the money went. ${sentence}`, (room) => marketMap(symbols, room)),
    table(
      `The ${shown.length} most traded; values in VND`,
      columns('Symbol', 'Board', 'Sector', '#Close', '#Change', '#Matched'),
      shown.map((symbol) => [
        symbol.symbol,
        symbol.board,
        symbol.sector ?? '–',
        price(symbol.close),
        toned(toneOfSymbol(symbol), change(symbol.change_part)),
        money(symbol.match_value),
      ]),
    ),
  )
}

const MOVERS = 10

/** The largest moves. */
export function moverFigure(symbols: readonly SymbolDay[], draw: Draw): Html | false {
  const { above: gainers, below: losers } = moversOf(symbols, MOVERS)
  const shown = [...gainers, ...[...losers].reverse()]
  if (shown.length === 0) return false
  const floor = `with at least ${money(MOVER_VALUE)} VND traded`
  const sentence = `${plural(gainers.length, 'largest gain')} and ${plural(losers.length, 'largest loss', 'largest losses')} ${floor}.`
  return figure(
    'Movers',
    sentence,
    draw(`Movers. ${sentence}`, (room) =>
      signedBars(
        shown.map((symbol) => {
          const tone = toneOfSymbol(symbol)
          return {
            name: room.isNarrow ? symbol.symbol : `${symbol.symbol} · ${symbol.name ?? ''}`,
            value: symbol.change_part ?? 0,
            label: `${ARROWS[tone]} ${change(symbol.change_part)}`,
            color: colorOf(tone),
          }
        }),
        room,
      ),
    ),
    table(
      'Movers; prices and values in VND',
      columns('Symbol', 'Name', '#Reference', '#Close', '#Change', '#Matched'),
      shown.map((symbol) => [
        symbol.symbol,
        symbol.name ?? '–',
        price(symbol.ref_price),
        price(symbol.close),
        toned(toneOfSymbol(symbol), change(symbol.change_part)),
        money(symbol.match_value),
      ]),
    ),
  )
}

const LIMITS = 15

/** Closes at the ceiling and at the floor, and who touched them. */
export function limitTables(symbols: readonly SymbolDay[]): Html {
  const ceilings = symbols.filter(({ at_ceiling }) => at_ceiling)
  const floors = symbols.filter(({ at_floor }) => at_floor)
  return html`<h3>Limit hits</h3>
<p>${limitWords(symbols)}</p>
${ceilings.length + floors.length > 0 ? html`<div class="pair">${limitTable('At the ceiling', 'ceiling', ceilings)}${limitTable('At the floor', 'floor', floors)}</div>` : false}`
}

function limitWords(symbols: readonly SymbolDay[]): string {
  const count = (holds: (symbol: SymbolDay) => boolean): number => symbols.filter(holds).length
  const above = count(({ at_ceiling }) => at_ceiling)
  const below = count(({ at_floor }) => at_floor)
  const touchedAbove = count(({ touched_ceiling, at_ceiling }) => touched_ceiling && !at_ceiling)
  const touchedBelow = count(({ touched_floor, at_floor }) => touched_floor && !at_floor)
  if (above + below + touchedAbove + touchedBelow === 0) return 'Nothing traded at its ceiling or its floor.'
  return `${decimal(above)} closed at the ceiling and ${decimal(touchedAbove)} more touched it; ${decimal(below)} closed at the floor and ${decimal(touchedBelow)} more touched it.`
}

function limitTable(caption: string, tone: 'ceiling' | 'floor', symbols: readonly SymbolDay[]): Html | false {
  if (symbols.length === 0) return false
  const more = symbols.length > LIMITS ? `, ${LIMITS} of ${symbols.length} by value` : ''
  return table(
    `${caption}${more}`,
    columns('Symbol', '#Close', '#Matched', '#In a row'),
    symbols
      .slice(0, LIMITS)
      .map((symbol) => [
        toned(tone, symbol.symbol),
        price(symbol.close),
        money(symbol.match_value),
        decimal(symbol.streak),
      ]),
  )
}

const DEALS = 12

/** What was negotiated instead of matched. */
export function dealTable(symbols: readonly SymbolDay[]): Html {
  const deals = symbols
    .filter(({ deal_value }) => (deal_value ?? 0) > 0)
    .sort(by(({ deal_value }) => deal_value ?? 0))
  const total = deals.reduce((sum, { deal_value }) => sum + (deal_value ?? 0), 0)
  if (deals.length === 0) return html`<h3>Put-through deals</h3>${nothing('None in this session.')}`
  return html`<h3>Put-through deals</h3>
<p>${money(total)} VND in ${plural(deals.length, 'symbol')}, beside what was matched.</p>
${table(
  deals.length > DEALS ? `The ${DEALS} largest; VND` : 'Put-through deals; VND',
  columns('Symbol', '#Value', '#Part of all', '#Average price', '#Against close'),
  deals.slice(0, DEALS).map((symbol) => {
    const { deal_value, deal_volume, match_value, close } = symbol
    const average = deal_value && deal_volume ? deal_value / deal_volume : null
    const all = (deal_value ?? 0) + (match_value ?? 0)
    return [
      symbol.symbol,
      money(deal_value),
      share(all > 0 ? (deal_value ?? 0) / all : null),
      price(average === null ? null : Math.round(average)),
      tonedChange(average === null || !close ? null : average / close - 1),
    ]
  }),
)}`
}
