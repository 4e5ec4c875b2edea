import type { Engine } from './engine-names.js'
import type { EngineWriter } from './engine-writer.js'
import { lean } from './lean.js'
import { nautilus } from './nautilus.js'
import { qlib } from './qlib.js'
import { zipline } from './zipline.js'

export const ENGINES: Readonly<Record<Engine, EngineWriter>> = { lean, nautilus, qlib, zipline }
