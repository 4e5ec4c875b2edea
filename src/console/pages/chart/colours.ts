/** Colours of the page's style sheet, which has them for light and dark. */
export interface Colours {
  text: string
  grid: string
  up: string
  down: string
  ceiling: string
  floor: string
  reference: string
  accent: string
  band: string
}
