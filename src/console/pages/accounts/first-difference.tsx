import { shellWord } from 'candlehouse-foundation/command-line/shell-word'
import type { Difference, Explanation } from '../../../read/explain/index.js'
import { Command } from '../command.js'
import { DataTable } from '../data-table.js'
import { exchangeTime, grouped } from '../words.js'

/** The first event at which fills, positions and cash of an account part, or that there is none. */
export function FirstDifference({ explanation: value }: { explanation: Explanation }) {
  if (value.snapshots < 2)
    return <p class="quiet">Fills, positions and cash are compared from the second complete snapshot on.</p>
  if (value.differences.length === 0)
    return (
      <p>
        Fills, positions and cash agree over {value.snapshots} complete snapshots, up to {value.agreesUpTo}.
      </p>
    )
  return (
    <>
      <p>
        Fills, positions and cash agree up to the snapshot of {value.agreesUpTo}, and part before that of{' '}
        {value.partsOn}: the first event is in the first row.
      </p>
      <DataTable<Difference>
        caption="Events at which they differ, the first one first"
        isBlocks
        columns={[
          { title: 'when', cell: ({ at, day }) => (at ? exchangeTime(at) : day) },
          { title: 'event', cell: ({ kind }) => kind },
          { title: 'symbol', cell: ({ symbol }) => symbol ?? '' },
          { title: 'order', cell: ({ orderId, candidates }) => orderId ?? candidates.join(' or ') },
          { title: 'expected', isNumber: true, cell: ({ expected }) => grouped(expected) },
          { title: 'is', isNumber: true, cell: ({ actual }) => grouped(actual) },
          {
            title: 'difference',
            isNumber: true,
            cell: ({ residual, unit }) => `${grouped(residual)} ${unit}`,
          },
          { title: 'why', cell: ({ reason }) => reason },
        ]}
        rows={value.differences}
      />
      <Command text={`candlehouse reconcile --explain ${shellWord(value.account)}`} />
    </>
  )
}
