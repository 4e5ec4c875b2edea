import { change } from '../figures.js'
import type { SymbolDay } from '../model/market.js'
import { CARD, type Drawing, INK, MUTED, type Room, text } from './draw.js'
import { ARROWS, tintOf, toneOfSymbol } from './tones.js'

/** How many of the most traded symbols a map shows. */
export const MAPPED = { wide: 110, narrow: 40 }

/** Areas by value traded, in boxes by sector, tinted by what the price did. */
export function marketMap(symbols: readonly SymbolDay[], { width, isNarrow }: Room): Drawing {
  const shown = symbols
    .filter(({ match_value }) => (match_value ?? 0) > 0)
    .slice(0, isNarrow ? MAPPED.narrow : MAPPED.wide)
  const height = isNarrow ? 460 : 480
  const total = shown.reduce((sum, { match_value }) => sum + (match_value ?? 0), 0)
  const sideOf = ({ match_value }: SymbolDay): number =>
    Math.sqrt(((match_value ?? 0) / total) * width * height * 0.9)
  const sectors = [...new Set(shown.map(({ sector }) => sector ?? 'Funds and others'))]
  return {
    height,
    option: {
      series: [
        {
          type: 'treemap',
          silent: true,
          roam: false,
          nodeClick: false,
          breadcrumb: { show: false },
          labelLayout: withinItsArea,
          left: 0,
          right: 0,
          top: 0,
          bottom: 0,
          levels: [
            { itemStyle: { borderColor: CARD, borderWidth: 0, gapWidth: 4 } },
            {
              itemStyle: { borderColor: CARD, borderWidth: 1, gapWidth: 1 },
              upperLabel: { show: true, height: 18, padding: [0, 8, 0, 0], ...text(MUTED, 11) },
            },
            { itemStyle: { borderColor: CARD, borderWidth: 0, gapWidth: 1 } },
          ],
          data: sectors.map((sector) => ({
            name: sector,
            itemStyle: { color: CARD },
            children: shown
              .filter((each) => (each.sector ?? 'Funds and others') === sector)
              .map((each) => leafOf(each, sideOf(each))),
          })),
        },
      ],
    },
  }
}

/** Leaves away what is wider than its area: half a symbol is none. Without a browser ECharts guesses widths, those of signs too large. */
function withinItsArea({ rect, text: written }: { rect: { width: number }; text?: string }) {
  const [symbol = ''] = (written ?? '').split('\n')
  return rect.width < LETTER * symbol.length ? { fontSize: 0 } : {}
}

/** Pixels of a letter of the smallest font, at most. */
const LETTER = 9

/** @param side of its area if it were a square: how much can be written in it */
function leafOf(symbol: SymbolDay, side: number): Record<string, unknown> {
  const tone = toneOfSymbol(symbol)
  return {
    name: symbol.symbol,
    value: symbol.match_value,
    itemStyle: { color: tintOf(tone, symbol.change_part) },
    label: {
      show: side >= 30,
      formatter: () =>
        side >= 92 ? `${symbol.symbol}\n${ARROWS[tone]} ${change(symbol.change_part, 1)}` : symbol.symbol,
      // Nothing is cut: half a number is a wrong one.
      overflow: 'none',
      lineHeight: side >= 150 ? 21 : 15,
      ...text(INK, side >= 150 ? 16 : side >= 90 ? 13 : 11),
    },
  }
}
