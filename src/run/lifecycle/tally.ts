import type { Loaded } from '../../load/batch.js'
import { type Counted, DATASETS } from '../../plan/datasets.js'

/** What a run did, dataset by dataset. */
export interface DatasetTally {
  dataset: Counted
  windows: number
  requests: number
  rows: number
  changed: number
  rejected: number
}

export interface Tally {
  loaded(loaded: Loaded): void
  window(dataset: Counted): void
  /** Datasets that were asked for, in the order of the stages. */
  datasets(): DatasetTally[]
  total(): Omit<DatasetTally, 'dataset'>
}

export function createTally(): Tally {
  const tallies = new Map<Counted, DatasetTally>()
  const of = (dataset: Counted): DatasetTally => {
    const held = tallies.get(dataset)
    if (held) return held
    const fresh = { dataset, windows: 0, requests: 0, rows: 0, changed: 0, rejected: 0 }
    tallies.set(dataset, fresh)
    return fresh
  }
  const datasets = (): DatasetTally[] =>
    [...DATASETS, 'snapshot' as const].flatMap((name) => {
      const tally = tallies.get(name)
      return tally ? [tally] : []
    })
  return {
    window(dataset) {
      of(dataset).windows += 1
    },
    loaded(loaded) {
      const tally = of(loaded.dataset)
      tally.requests += loaded.pages
      tally.rows += loaded.rows
      tally.changed += loaded.changed
      tally.rejected += loaded.rejected
    },
    datasets,
    total: () =>
      datasets().reduce(
        (sum, each) => ({
          windows: sum.windows + each.windows,
          requests: sum.requests + each.requests,
          rows: sum.rows + each.rows,
          changed: sum.changed + each.changed,
          rejected: sum.rejected + each.rejected,
        }),
        { windows: 0, requests: 0, rows: 0, changed: 0, rejected: 0 },
      ),
  }
}
