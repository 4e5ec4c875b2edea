/** What a price did, as the exchanges' boards colour it. */
export type Tone = 'up' | 'down' | 'ceiling' | 'floor' | 'reference'

/** CSS colours by tone: dark enough as text on white, light enough as text on a dark page (4.5 to 1). */
export interface Palette {
  readonly light: Readonly<Record<Tone, string>>
  readonly dark: Readonly<Record<Tone, string>>
}

const GREEN = { light: '#0a7440', dark: '#57c78c' }
const RED = { light: '#bf2a33', dark: '#ff8a85' }
const PURPLE = { light: '#7a34b8', dark: '#c9a2f8' }
const BLUE = { light: '#0c67a6', dark: '#74b9f2' }
const YELLOW = { light: '#7d6200', dark: '#e0c04f' }
const ORANGE = { light: '#a85200', dark: '#f5a25d' }

function palette(tones: Readonly<Record<Tone, { light: string; dark: string }>>): Palette {
  const shade = (name: 'light' | 'dark') =>
    Object.fromEntries(Object.entries(tones).map(([tone, colour]) => [tone, colour[name]])) as Record<
      Tone,
      string
    >
  return { light: shade('light'), dark: shade('dark') }
}

/**
 * `vietnam`: as the boards of HOSE and HNX. `china`: red rises, green falls. `colourblind`: no pair of red and green.
 * Colours never carry a meaning alone: signs, arrows and words stand beside them.
 */
export const palettes = {
  vietnam: palette({ up: GREEN, down: RED, ceiling: PURPLE, floor: BLUE, reference: YELLOW }),
  china: palette({ up: RED, down: GREEN, ceiling: PURPLE, floor: BLUE, reference: YELLOW }),
  colourblind: palette({ up: BLUE, down: ORANGE, ceiling: PURPLE, floor: RED, reference: YELLOW }),
} as const

export type PaletteName = keyof typeof palettes
