/** Backtesting engines that an export is written for, by the names of their packages. */
export const ENGINE_NAMES = ['lean', 'nautilus', 'qlib', 'zipline'] as const

export type Engine = (typeof ENGINE_NAMES)[number]
