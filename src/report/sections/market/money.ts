import { type Part, partedBars, signedBars } from '../../charts/bar-charts.js'
import type { Draw } from '../../charts/draw.js'
import { flowBars } from '../../charts/sessions.js'
import { ARROWS, colorOf, toneOfChange } from '../../charts/tones.js'
import { change, date, decimal, flow, money, share } from '../../figures.js'
import { type Html, html } from '../../html.js'
import { extremesOf, foreignNet, type Market, type SymbolDay } from '../../model/market.js'
import { columns, figure, table, tonedChange } from '../blocks.js'

const SHOWN = 8

/** Net buying of foreign investors and of proprietary desks, by session and by symbol. */
export function flowFigure({ flows, symbols }: Market, draw: Draw): Html | false {
  const last = flows.at(-1)
  if (!last) return false
  const sentence = `Foreign investors ${netWords(last.foreign_net)}; proprietary desks ${netWords(last.proprietary_net)}.`
  const { above: bought, below: sold } = extremesOf(symbols, foreignNet, SHOWN)
  return html`${figure(
    'Foreign and proprietary flow',
    html`${sentence} Full bars are foreign, outlined bars proprietary; above the line more was bought than sold. VND.`,
    draw(`Net buying per session. ${sentence}`, (room) => flowBars(flows, room)),
    table(
      'Net buying per session, VND',
      columns('Session', '#Foreign', '#Proprietary'),
      [...flows]
        .reverse()
        .map((day) => [date(day.trading_date), flow(day.foreign_net), flow(day.proprietary_net)]),
    ),
  )}
<div class="pair">${netTable('Bought most by foreign investors', bought)}${netTable('Sold most by foreign investors', sold)}</div>`
}

function netWords(net: number | null): string {
  if (net === null) return 'did not have their trades reported'
  return net === 0
    ? 'bought as much as they sold'
    : `${net > 0 ? 'bought' : 'sold'} ${money(Math.abs(net))} net`
}

function netTable(caption: string, symbols: readonly SymbolDay[]): Html {
  return table(
    caption,
    columns('Symbol', '#Net', '#Change', '#Room used'),
    symbols.map((symbol) => [
      symbol.symbol,
      flow(foreignNet(symbol)),
      tonedChange(symbol.change_part),
      share(symbol.room_used),
    ]),
  )
}

/** Returns of industries. */
export function sectorFigure({ sectors }: Market, draw: Draw): Html | false {
  const known = sectors.filter(({ change_part }) => change_part !== null)
  const [best] = known
  const worst = known.at(-1)
  if (!best || !worst) return false
  const sentence = `Strongest: ${best.sector} ${change(best.change_part)}. Weakest: ${worst.sector} ${change(worst.change_part)}. Weighted by listed shares.`
  return figure(
    'Sectors',
    sentence,
    draw(`Sectors. ${sentence}`, (room) =>
      signedBars(
        known.map(({ sector, change_part }) => ({
          name: sector,
          value: change_part ?? 0,
          label: `${ARROWS[toneOfChange(change_part)]} ${change(change_part)}`,
          color: colorOf(toneOfChange(change_part)),
        })),
        room,
      ),
    ),
    table(
      'Sectors; values in VND',
      columns('Sector', '#Change', '#Rose', '#Fell', '#Same', '#Matched', '#Foreign net'),
      sectors.map((sector) => [
        sector.sector,
        tonedChange(sector.change_part),
        ...[sector.advance, sector.decline, sector.no_change].map((value) => decimal(value)),
        money(sector.match_value),
        flow(sector.foreign_net),
      ]),
    ),
  )
}

/** The auctions' part of the volume, by board. */
export function auctionFigure({ auctions }: Market, draw: Draw): Html | false {
  if (auctions.length === 0) return false
  const rest = auctions.map(({ opening_part, closing_part }) =>
    Math.max(0, 1 - (opening_part ?? 0) - (closing_part ?? 0)),
  )
  const part = (name: string, color: string, shares: readonly number[]): Part => ({
    name,
    color,
    shares,
    labels: shares.map((each) => `${name} ${share(each)}`),
  })
  const sentence = `${auctions
    .map(
      ({ board, opening_part, closing_part }) =>
        `${board}: ${[
          ...(opening_part === null ? [] : [`opening ${share(opening_part)}`]),
          ...(closing_part === null ? [] : [`closing ${share(closing_part)}`]),
        ].join(', ')}`,
    )
    .join('; ')} of the volume.`
  return figure(
    'Auctions',
    html`${sentence} From left to right: opening auction, continuous trading, closing auction.`,
    draw(`Auctions. ${sentence}`, (room) =>
      partedBars(
        auctions.map(({ board }) => board),
        [
          part(
            'opening',
            'var(--accent-3)',
            auctions.map(({ opening_part }) => opening_part ?? 0),
          ),
          part('continuous', 'var(--plain)', rest),
          part(
            'closing',
            'var(--accent-3)',
            auctions.map(({ closing_part }) => closing_part ?? 0),
          ),
        ],
        room,
      ),
    ),
    table(
      'Auctions, part of the volume',
      columns('Board', '#Volume', '#Opening', '#Closing'),
      auctions.map(({ board, volume, opening_part, closing_part }) => [
        board,
        decimal(volume),
        share(opening_part),
        share(closing_part),
      ]),
    ),
  )
}
