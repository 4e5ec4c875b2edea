import type { Loaded } from '../../load/batch.js'
import { type Counted, DATASETS } from '../../plan/datasets.js'
import type { RunCounts } from '../../warehouse/runs.js'

export interface DatasetTally extends RunCounts {
  readonly dataset: Counted
}

const ZERO: Readonly<RunCounts> = { windows: 0, requests: 0, rows: 0, changed: 0, rejected: 0 }

export class Tally {
  private readonly counts = new Map<Counted, RunCounts>()
  /** Landed pages that are not JSON. */
  unreadable = 0

  addWindows(dataset: Counted, windows = 1): void {
    this.add(dataset, { ...ZERO, windows })
  }

  addLoaded({ dataset, pages: requests, rows, changed, rejected, unreadable }: Loaded): void {
    this.unreadable += unreadable
    this.add(dataset, { windows: 0, requests, rows, changed, rejected })
  }

  /** Datasets that were requested, in the order of the stages. */
  datasets(): DatasetTally[] {
    return [...DATASETS, 'snapshot' as const].flatMap((dataset) => {
      const counts = this.counts.get(dataset)
      return counts ? [{ dataset, ...counts }] : []
    })
  }

  total(): RunCounts {
    return [...this.counts.values()].reduce(sumOf, ZERO)
  }

  private add(dataset: Counted, counts: RunCounts): void {
    this.counts.set(dataset, sumOf(this.counts.get(dataset) ?? ZERO, counts))
  }
}

function sumOf(left: RunCounts, right: RunCounts): RunCounts {
  return {
    windows: left.windows + right.windows,
    requests: left.requests + right.requests,
    rows: left.rows + right.rows,
    changed: left.changed + right.changed,
    rejected: left.rejected + right.rejected,
  }
}
