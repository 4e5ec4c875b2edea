/** Indicators of a chart, from `mart.indicators`: what they are called, and their columns there. */
export const INDICATORS = {
  sma: { title: 'SMA', length: 20, columns: ['sma'] },
  ema: { title: 'EMA', length: 20, columns: ['ema'] },
  bands: { title: 'Bollinger', length: 20, columns: ['band_upper', 'band_middle', 'band_lower'] },
  vwap: { title: 'VWAP', length: 0, columns: ['vwap'] },
  rsi: { title: 'RSI', length: 14, columns: ['rsi'] },
} as const satisfies Record<string, { title: string; length: number; columns: readonly string[] }>

export type IndicatorKind = keyof typeof INDICATORS

export const INDICATOR_KINDS = Object.keys(INDICATORS) as readonly IndicatorKind[]

export interface Indicator {
  readonly kind: IndicatorKind
  /** In bars; 0 where it has none. */
  readonly length: number
}

/** Bars that an indicator reaches back at most: more are longer than what a chart shows. */
export const LONGEST = 500

/** Length of an indicator where none is given; 0 where it has none. */
export function usualLength(kind: IndicatorKind): number {
  return INDICATORS[kind].length
}

/**
 * The indicators of a text like `sma50,rsi,vwap`: a length that is left out is the usual one. In the order of the menu, each once.
 *
 * @returns undefined where a word of the text is not an indicator
 */
export function indicatorsOf(text: string): Indicator[] | undefined {
  const lengths = new Map<IndicatorKind, number>()
  for (const word of text.split(',').filter(Boolean)) {
    const [, name = '', digits = ''] = /^([a-z]+)(\d*)$/.exec(word) ?? []
    const kind = INDICATOR_KINDS.find((known) => known === name)
    if (kind === undefined) return undefined
    const length = digits === '' ? usualLength(kind) : Number(digits)
    const isLength = usualLength(kind) === 0 ? length === 0 : length >= 2 && length <= LONGEST
    if (!isLength) return undefined
    lengths.set(kind, length)
  }
  return INDICATOR_KINDS.flatMap((kind) => {
    const length = lengths.get(kind)
    return length === undefined ? [] : [{ kind, length }]
  })
}

/** The text that `indicatorsOf` reads. */
export function indicatorWords(indicators: readonly Indicator[]): string {
  return indicators
    .map(({ kind, length }) => (length === usualLength(kind) ? kind : `${kind}${length}`))
    .join(',')
}

/** `SMA 50`, `VWAP`. */
export function indicatorTitle({ kind, length }: Indicator): string {
  return length === 0 ? INDICATORS[kind].title : `${INDICATORS[kind].title} ${length}`
}

/** Names of the columns of some indicators, in the order in which `/api/chart` sends them. */
export function indicatorColumns(indicators: readonly Indicator[]): string[] {
  return indicators.flatMap(({ kind }) => [...INDICATORS[kind].columns])
}
