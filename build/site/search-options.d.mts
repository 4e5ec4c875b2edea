import type { Options } from 'minisearch'

export const INDEX_OPTIONS: Options
