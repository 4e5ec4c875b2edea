import type { EChartsCoreOption } from 'echarts/core'
import type { Html } from '../html.js'

/** Room of a drawing in CSS pixels: its text keeps its size, so a phone has a drawing of its own. */
export interface Room {
  readonly width: number
  readonly isNarrow: boolean
}

export const ROOMS: readonly Room[] = [
  { width: 920, isNarrow: false },
  { width: 344, isNarrow: true },
]

/** What a chart draws in a room. */
export interface Drawing {
  readonly height: number
  readonly option: EChartsCoreOption
}

/**
 * A chart in a page, once per room; the page shows the one that fits.
 *
 * @param label read out instead of the drawing
 */
export type Draw = (label: string, chart: (room: Room) => Drawing) => Html

/** Colours are variables of the page: one drawing is right in light, in dark and on paper. */
export const INK = 'var(--ink)'
export const MUTED = 'var(--muted)'
export const LINE = 'var(--line)'
export const CARD = 'var(--card)'
export const ACCENT = 'var(--accent)'
export const FONT = 'system-ui, sans-serif'

export function text(color = INK, fontSize = 12): Record<string, unknown> {
  return { color, fontSize, fontFamily: FONT }
}
