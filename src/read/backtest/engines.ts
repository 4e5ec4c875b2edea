import type { EngineWriter } from './engine-writer.js'
import { lean } from './lean.js'
import { nautilus } from './nautilus.js'
import { qlib } from './qlib.js'
import { zipline } from './zipline.js'

/** Backtesting engines that an export is written for, by the names of their packages. */
export const ENGINES = { lean, nautilus, qlib, zipline } satisfies Record<string, EngineWriter>

export type Engine = keyof typeof ENGINES
export const ENGINE_NAMES = Object.keys(ENGINES) as Engine[]
