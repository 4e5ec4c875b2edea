import { useEffect, useRef } from 'preact/hooks'
import uPlot from 'uplot'
import type { Row } from '../api.js'
import { readColours, watchScheme } from '../chart/style-colours.js'
import { LABEL_ROOM, timeAxis } from '../time-axis.js'

/** Net asset value over time; the table below it has the values. */
export function EquityLines({ rows }: { rows: readonly Row[] }) {
  const container = useRef<HTMLDivElement>(null)
  useEffect(() => {
    let plot: uPlot | undefined
    const draw = () => {
      plot?.destroy()
      if (container.current) plot = plotOf(container.current, rows)
    }
    draw()
    const unwatch = watchScheme(draw)
    return () => {
      unwatch()
      plot?.destroy()
    }
  }, [rows])
  return (
    <div
      ref={container}
      role="img"
      aria-label="Net asset value and cash over time. The table below has the values."
    />
  )
}

function plotOf(container: HTMLElement, rows: readonly Row[]): uPlot {
  const colours = readColours()
  const axis = {
    stroke: colours.text,
    grid: { stroke: colours.grid, width: 1 },
    ticks: { stroke: colours.grid },
  }
  const column = (name: string) => rows.map((row) => (row[name] === null ? null : Number(row[name])))
  const millions = (_: uPlot, values: number[]) =>
    values.map((value) => `${(value / 1e6).toLocaleString('en-US')} m`)
  return new uPlot(
    {
      width: Math.max(320, container.clientWidth),
      height: 220,
      padding: LABEL_ROOM,
      axes: [timeAxis(axis, true), { ...axis, size: 90, values: millions }],
      series: [
        { label: 'session', value: '{YYYY}-{MM}-{DD}' },
        { label: 'net asset value', stroke: colours.accent, width: 2, points: { show: true } },
        { label: 'cash', stroke: colours.reference, width: 1.5, dash: [6, 4], points: { show: true } },
      ],
      tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
    },
    [
      rows.map((row) => Date.parse(String(row.trading_date)) / 1000),
      column('net_asset_value'),
      column('net_cash'),
    ],
    container,
  )
}
