import type { Day } from 'candlehouse-foundation/market/day'
import type { Gaps } from '../../night/gaps.js'
import { DATASETS, datasets } from '../../plan/datasets.js'
import type { Ask } from '../questions.js'

/**
 * How a dataset's windows of one session were answered, the worst first. `unasked`: nothing was requested; `missing`: it
 * lies between sessions that were.
 */
export type CellState = 'incomplete' | 'missing' | 'refused' | 'empty' | 'complete' | 'unasked'

export interface CoverageCell {
  readonly day: Day
  readonly state: CellState
  readonly windows: number
  /** Windows answered whole, or answered with nothing. */
  readonly answered: number
  readonly rows: number
  /** Days until the service no longer serves what is incomplete or missing; null where nothing does, or nothing is known. */
  readonly expiresInDays: number | null
}

export interface CoverageRow {
  readonly dataset: string
  readonly timeframe: string
  /** One per session of the map. */
  readonly cells: readonly CoverageCell[]
}

export interface Coverage extends Gaps {
  /** Oldest first. */
  readonly sessions: readonly Day[]
  readonly rows: readonly CoverageRow[]
}

/** Datasets in the order in which a night fetches them. */
const ORDER: readonly string[] = [...DATASETS.filter((name) => datasets[name].stage !== null), 'snapshot']

export async function coverageModel(ask: Ask, gaps: Gaps): Promise<Coverage> {
  const cells = await ask<CoverageCell & Pick<CoverageRow, 'dataset' | 'timeframe'>>('coverage')
  const sessions = [...new Set(cells.map(({ day }) => day))].sort()
  const names = [...new Set(cells.map(({ dataset, timeframe }) => `${dataset} ${timeframe}`))]
  const rows = names.map((name): CoverageRow => {
    const [dataset = '', timeframe = ''] = name.split(' ')
    const known = new Map(
      cells
        .filter((cell) => cell.dataset === dataset && cell.timeframe === timeframe)
        .map((cell) => [cell.day, cell]),
    )
    return { dataset, timeframe, cells: sessions.map((day) => known.get(day) ?? unasked(day)) }
  })
  return { sessions, rows: rows.sort((a, b) => ORDER.indexOf(a.dataset) - ORDER.indexOf(b.dataset)), ...gaps }
}

function unasked(day: Day): CoverageCell {
  return { day, state: 'unasked', windows: 0, answered: 0, rows: 0, expiresInDays: null }
}
