import type { Colours } from './colours.js'

/** The colours as they are now; `colour-scheme` may change while the page is open. */
export function readColours(): Colours {
  const style = getComputedStyle(document.documentElement)
  const colour = (name: string): string => style.getPropertyValue(`--${name}`).trim()
  return {
    text: colour('quiet'),
    grid: colour('line'),
    up: colour('up'),
    down: colour('down'),
    ceiling: colour('ceiling'),
    floor: colour('floor'),
    reference: colour('reference'),
    accent: colour('accent'),
    band: colour('band'),
  }
}

/** Calls `onChange` when the scheme of the user's system changes; returns what ends that. */
export function watchScheme(onChange: () => void): () => void {
  const scheme = matchMedia('(prefers-color-scheme: dark)')
  scheme.addEventListener('change', onChange)
  return () => scheme.removeEventListener('change', onChange)
}
