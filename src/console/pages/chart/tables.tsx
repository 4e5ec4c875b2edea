import { useMemo, useState } from 'preact/hooks'
import type { Row } from '../api.js'
import { DataTable } from '../data-table.js'
import { grouped, rounded } from '../words.js'
import { type Bar, barOf, type ChartData } from './bars.js'
import { barTime } from './legend.js'

const SHOWN_BARS = 300

/** The last bars, the latest first. */
function latestOf(bars: ChartData['bars']): Bar[] {
  const count = Math.min(SHOWN_BARS, bars.length)
  return Array.from({ length: count }, (_, index) => barOf(bars, bars.length - 1 - index)).filter(
    (bar) => bar !== undefined,
  )
}

/** The exact values behind the chart. */
export function BarTable({ data: { bars, selection } }: { data: ChartData }) {
  const [isOpen, setOpen] = useState(false)
  const latest = useMemo(() => latestOf(bars), [bars])
  const number = (title: 'open' | 'high' | 'low' | 'close' | 'volume' | 'value') => ({
    title,
    isNumber: true,
    cell: (bar: Bar) =>
      selection.isAdjusted && title !== 'value' ? rounded(bar[title]) : grouped(bar[title]),
  })
  const caption =
    bars.length > SHOWN_BARS
      ? `The latest ${SHOWN_BARS} of ${grouped(bars.length)} bars of ${selection.symbol}, exchange time`
      : `${grouped(bars.length)} bars of ${selection.symbol}, exchange time`
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Bars as a table</summary>
      {isOpen && (
        <DataTable
          caption={caption}
          columns={[
            {
              title: selection.timeframe === '1d' ? 'session' : 'opened at',
              cell: (bar) => barTime(bar, selection),
            },
            number('open'),
            number('high'),
            number('low'),
            number('close'),
            number('volume'),
            number('value'),
          ]}
          rows={latest}
        />
      )}
    </details>
  )
}

/** A declared action may have no reference price to compare. */
function priceOr(value: Row[string] | undefined): string {
  return value === null || value === undefined ? '–' : grouped(value)
}

export function EventTable({ data: { events, selection } }: { data: ChartData }) {
  return (
    <details>
      <summary>Adjustment events{events.length > 0 ? ` (${events.length})` : ': none known'}</summary>
      <DataTable
        caption={`Sessions of ${selection.symbol} whose reference price shows a corporate action, or that have a declared one`}
        columns={[
          { title: 'ex-date', cell: (row) => String(row.ex_date) },
          { title: 'state', cell: (row) => String(row.state) },
          { title: 'declared', cell: (row) => String(row.kinds) || 'nothing' },
          { title: 'factor', isNumber: true, cell: (row) => Number(row.factor).toFixed(6) },
          { title: 'basis before', isNumber: true, cell: (row) => priceOr(row.previous_basis) },
          { title: 'reference', isNumber: true, cell: (row) => priceOr(row.ref_price) },
          { title: 'remark', cell: (row) => String(row.remark) },
        ]}
        rows={events}
        empty="None is known."
      />
    </details>
  )
}
