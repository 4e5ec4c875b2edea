import { useEffect, useRef } from 'preact/hooks'
import uPlot from 'uplot'
import type { Row } from '../api.js'
import type { Colours } from '../chart/colours.js'
import { readColours, watchScheme } from '../chart/style-colours.js'
import { LABEL_ROOM, timeAxis } from '../time-axis.js'
import { percentWords } from './account-words.js'
import { type GrowthColumns, growthColumns } from './period.js'

interface Props {
  rows: readonly Row[]
  account: string
  benchmark: string
}

/** Return beside the benchmark's, and drawdown below; the table below has the values. The axes hold what is drawn, and need not hold zero. */
export function GrowthLines({ rows, account, benchmark }: Props) {
  const container = useRef<HTMLDivElement>(null)
  useEffect(() => {
    let plots: uPlot[] = []
    const forget = () => {
      for (const plot of plots) plot.destroy()
    }
    const draw = () => {
      forget()
      const element = container.current
      plots = element ? plotsOf(element, growthColumns(rows, benchmark), { account, benchmark }) : []
    }
    draw()
    const unwatch = watchScheme(draw)
    const observer = new ResizeObserver(() => {
      for (const plot of plots) plot.setSize({ width: widthOf(container.current), height: plot.height })
    })
    if (container.current) observer.observe(container.current)
    return () => {
      observer.disconnect()
      unwatch()
      forget()
    }
  }, [rows, account, benchmark])
  return (
    <div
      ref={container}
      class="growth"
      role="img"
      aria-label={`Return of ${account} beside ${benchmark}, and its drawdown. The table below has the values.`}
    />
  )
}

/** A drawdown axis of an account that never fell still has a scale. */
const LEAST_FALL = -0.001

const widthOf = (element: HTMLElement | null): number => Math.max(260, element?.clientWidth ?? 0)

function plotsOf(
  container: HTMLElement,
  { days, own, benchmark, drawdown }: GrowthColumns,
  names: { account: string; benchmark: string },
): uPlot[] {
  const colours = readColours()
  const base = optionsOf(colours, widthOf(container), days)
  const value = (_: uPlot, part: number | null) => (part === null ? '–' : percentWords(part, 2))
  const growth = new uPlot(
    {
      ...base,
      height: 240,
      series: [
        base.series[0] as uPlot.Series,
        { label: names.account, stroke: colours.accent, width: 2, value },
        { label: names.benchmark, stroke: colours.reference, width: 1.5, dash: [6, 4], value },
      ],
    },
    [days, own, benchmark],
    container,
  )
  const fall = new uPlot(
    {
      ...base,
      height: 130,
      scales: { y: { range: (_, least) => [Math.min(least, LEAST_FALL), 0] } },
      series: [
        base.series[0] as uPlot.Series,
        { label: 'drawdown', stroke: colours.down, fill: colours.band, width: 1.5, value },
      ],
    },
    [days, drawdown],
    container,
  )
  return [growth, fall]
}

function optionsOf(colours: Colours, width: number, days: readonly number[]): uPlot.Options {
  const axis = {
    stroke: colours.text,
    grid: { stroke: colours.grid, width: 1 },
    ticks: { stroke: colours.grid },
  }
  return {
    width,
    height: 0,
    padding: LABEL_ROOM,
    cursor: { sync: { key: 'growth' }, drag: { x: false, y: false } },
    axes: [
      timeAxis(axis, true),
      {
        ...axis,
        size: 64,
        values: (_, values) => values.map((value) => percentWords(value, digitsOf(values))),
      },
    ],
    series: [{ label: 'session', value: (_, at) => (at === null ? '–' : dayText(days, at)) }],
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
  }
}

/** Digits of a percentage that tell the marks of an axis apart. */
function digitsOf(values: readonly number[]): number {
  const step = Math.abs((values[1] ?? 0) - (values[0] ?? 0)) * 100
  return step === 0 || step >= 1 ? 0 : step >= 0.1 ? 1 : 2
}

function dayText(days: readonly number[], at: number): string {
  return days.includes(at) ? new Date(at * 1000).toISOString().slice(0, 10) : '–'
}
