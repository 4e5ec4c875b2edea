import { useMemo, useState } from 'preact/hooks'
import { isWithinSession } from '../../bar-columns.js'
import { INDICATORS, indicatorTitle } from '../../indicators.js'
import type { Row } from '../api.js'
import { DataTable } from '../data-table.js'
import { exchangeTime, grouped, rounded } from '../words.js'
import { type Bar, barOf, barTime, type ChartData, lastBarBy } from './bars.js'

const SHOWN_BARS = 300

/** The last bars, the latest first. */
function latestOf(bars: ChartData['bars']): Bar[] {
  const count = Math.min(SHOWN_BARS, bars.length)
  return Array.from({ length: count }, (_, index) => barOf(bars, bars.length - 1 - index)).filter(
    (bar) => bar !== undefined,
  )
}

/** The exact values behind the chart. */
export function BarTable({ data }: { data: ChartData }) {
  const { bars, symbol, timeframe, isAdjusted } = data
  const [isOpen, setOpen] = useState(false)
  const latest = useMemo(() => latestOf(bars), [bars])
  const number = (title: 'open' | 'high' | 'low' | 'close' | 'volume' | 'value') => ({
    title,
    isNumber: true,
    cell: (bar: Bar) => (isAdjusted && title !== 'value' ? rounded(bar[title]) : grouped(bar[title])),
  })
  const caption =
    bars.length > SHOWN_BARS
      ? `The latest ${SHOWN_BARS} of ${grouped(bars.length)} bars of ${symbol}, exchange time`
      : `${grouped(bars.length)} bars of ${symbol}, exchange time`
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Bars as a table</summary>
      {isOpen && (
        <DataTable
          caption={caption}
          columns={[
            {
              title: isWithinSession(timeframe) ? 'opened at' : 'session',
              cell: (bar) => barTime(bar.time, timeframe),
            },
            number('open'),
            number('high'),
            number('low'),
            number('close'),
            number('volume'),
            number('value'),
            ...indicatorCells(data),
          ]}
          rows={latest}
        />
      )}
    </details>
  )
}

/** A column per line of an indicator. */
function indicatorCells({ bars, drawnIndicators }: ChartData) {
  return drawnIndicators.flatMap((indicator) =>
    INDICATORS[indicator.kind].columns.map((name) => ({
      title: indicator.kind === 'bands' ? name.replace('_', ' ') : indicatorTitle(indicator),
      isNumber: true,
      cell: (bar: Bar) => {
        const value = indicator.columns[name]?.[lastBarBy(bars, bar.time)] ?? Number.NaN
        return Number.isNaN(value) ? '–' : rounded(value)
      },
    })),
  )
}

/** A declared action may have no reference price to compare. */
function priceOr(value: Row[string] | undefined): string {
  return value === null || value === undefined ? '–' : grouped(value)
}

export function EventTable({ data: { events, symbol } }: { data: ChartData }) {
  return (
    <details>
      <summary>Adjustment events{events.length > 0 ? ` (${events.length})` : ': none known'}</summary>
      <DataTable
        caption={`Sessions of ${symbol} whose reference price shows a corporate action, or that have a declared one`}
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

/** What was bought and sold of the symbol, and what would trigger an order. */
export function TradeTable({ data: { fills, conditional, symbol } }: { data: ChartData }) {
  if (fills.length === 0 && conditional.length === 0) return null
  return (
    <details>
      <summary>
        Own fills ({fills.length}) and conditional orders ({conditional.length})
      </summary>
      <DataTable
        caption={`Conditional orders of ${symbol} that wait, and the prices that trigger them`}
        columns={[
          { title: 'account', cell: (row) => String(row.account_no) },
          { title: 'trigger', cell: (row) => String(row.trigger_kind) },
          { title: 'price', isNumber: true, cell: (row) => grouped(row.trigger_price) },
          { title: 'side', cell: (row) => String(row.side) },
          { title: 'quantity', isNumber: true, cell: (row) => grouped(row.quantity) },
          { title: 'until', cell: (row) => (row.to_at === null ? '' : exchangeTime(String(row.to_at))) },
        ]}
        rows={conditional}
        empty="No conditional order waits."
      />
      <DataTable
        caption={`What accounts bought (B) and sold (S) of ${symbol}, as paid, the latest first`}
        columns={[
          { title: 'session', cell: (row) => String(row.trading_date) },
          { title: 'account', cell: (row) => String(row.account_no) },
          { title: 'order', cell: (row) => String(row.order_id) },
          { title: 'side', cell: (row) => String(row.side) },
          { title: 'quantity', isNumber: true, cell: (row) => grouped(row.quantity) },
          { title: 'price', isNumber: true, cell: (row) => rounded(row.price) },
        ]}
        rows={[...fills].reverse()}
        empty="Nothing was filled."
      />
    </details>
  )
}
