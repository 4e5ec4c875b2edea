import type { Day } from 'candlehouse-foundation/market/day'
import { keysWords, type Withheld } from '../../lake/withheld-rows.js'
import type { Draw } from '../charts/draw.js'
import { date, weekday } from '../figures.js'
import { type Html, html } from '../html.js'
import type { Market } from '../model/market.js'
import { nothing, section } from './blocks.js'
import { breadthFigure, indexFigure, indexTiles } from './market/indexes.js'
import { auctionFigure, flowFigure, sectorFigure } from './market/money.js'
import { dealTable, limitTables, mapFigure, moverFigure } from './market/symbols.js'

const TITLE = 'The market at a glance'

/** Relations that its figures are computed from. */
const SOURCES = ['market.daily_summary', 'market.price_limit', 'market.index_summary', 'market.candle']

export function marketSection(
  market: Market | null,
  withheld: readonly Withheld[],
  day: Day,
  draw: Draw,
): Html {
  if (!market) return section('market', TITLE, false, nothing('No daily summaries are stored yet.'))
  const { session, symbols } = market
  const when = `${weekday(session)}, ${date(session)}`
  return section(
    'market',
    TITLE,
    session === day ? when : `${when}: the newest session that is stored up to ${date(day)}`,
    html`${withheldWords(session, withheld)}
${indexTiles(market)}
${indexFigure(market, draw)}
${mapFigure(symbols, draw)}
${breadthFigure(market, draw)}
${moverFigure(symbols, draw)}
${limitTables(symbols)}
${flowFigure(market, draw)}
${sectorFigure(market, draw)}
${dealTable(symbols)}
${auctionFigure(market, draw)}`,
  )
}

/** What the figures of the session lack: they are of published rows. */
function withheldWords(session: Day, withheld: readonly Withheld[]): Html | false {
  const rows = withheld.filter(
    ({ relation, tradingDate }) => tradingDate === session && SOURCES.includes(relation),
  )
  if (rows.length === 0) return false
  const names = [...new Set(rows.map(({ keys }) => keysWords(keys)))].join('; ')
  return html`<p>Figures are of published rows. New rows of this session are withheld: ${names}.</p>`
}
