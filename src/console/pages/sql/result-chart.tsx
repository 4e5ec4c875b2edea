import { useEffect, useRef, useState } from 'preact/hooks'
import uPlot from 'uplot'
import type { Column } from '../api.js'
import { readColours, watchScheme } from '../chart/colours.js'
import { LABEL_ROOM, timeAxis } from '../time-axis.js'
import { amount } from '../words.js'
import { isNumeric } from './grid.js'
import { ResultRows } from './result-rows.js'

/** Points of a chart: more than a screen has pixels. */
const MOST_ROWS = 20_000
const MOST_LINES = 4

const EXCHANGE_SECONDS = 7 * 3600

/** Lines over the first column that is a day, an instant or a number; the grid below is its table. */
export function ResultChart({
  id,
  columns,
  count,
}: {
  id: number
  columns: readonly Column[]
  count: number
}) {
  const container = useRef<HTMLDivElement>(null)
  const [rows, setRows] = useState<unknown[][]>()
  const x = axisOf(columns)
  const lines = columns
    .map((column, index) => ({ ...column, index }))
    .filter(({ type, index }) => index !== x && isNumeric(type))
  useEffect(() => {
    new ResultRows(id, () => undefined).first(Math.min(count, MOST_ROWS)).then(setRows, () => setRows([]))
  }, [id, count])
  useEffect(() => {
    if (!rows || x < 0 || lines.length === 0) return
    let plot: uPlot | undefined
    const draw = () => {
      plot?.destroy()
      if (container.current)
        plot = plotOf(container.current, rows, { x, columns, lines: lines.slice(0, MOST_LINES) })
    }
    draw()
    const unwatch = watchScheme(draw)
    return () => {
      unwatch()
      plot?.destroy()
    }
  }, [rows])
  if (x < 0 || lines.length === 0)
    return (
      <p class="quiet">
        A chart needs a column with days, instants or numbers, and another one with numbers.
      </p>
    )
  const names = lines.slice(0, MOST_LINES).map(({ name }) => name)
  return (
    <>
      <div
        ref={container}
        class="plot"
        role="img"
        aria-label={`${names.join(', ')} over ${columns[x]?.name}. The rows below are its table.`}
      />
      {count > MOST_ROWS && <p class="quiet">The first {MOST_ROWS.toLocaleString('en-US')} rows.</p>}
    </>
  )
}

function isTime(type: string): boolean {
  return type === 'DATE' || type.startsWith('TIMESTAMP')
}

function axisOf(columns: readonly Column[]): number {
  const time = columns.findIndex(({ type }) => isTime(type))
  return time >= 0 ? time : columns.findIndex(({ type }) => isNumeric(type))
}

/** Seconds that the chart writes as exchange time: days and times without a zone as they are, instants seven hours on. */
function secondsOf(text: string, type: string): number {
  if (type === 'TIMESTAMP WITH TIME ZONE') return Date.parse(text) / 1000 + EXCHANGE_SECONDS
  return Date.parse(type === 'DATE' ? text : `${text.replace(' ', 'T')}Z`) / 1000
}

function timeWords(type: string): string {
  return type === 'DATE' ? '{YYYY}-{MM}-{DD}' : '{YYYY}-{MM}-{DD} {HH}:{mm}'
}

/** `1.2 bn`; small numbers with their digits, the largest by their powers. */
function tickWords(value: number): string {
  if (Math.abs(value) >= 1e15) return value.toExponential(1)
  return Math.abs(value) >= 1e6 ? amount(value).replace('.0 ', ' ') : value.toLocaleString('en-US')
}

/** Lines differ by their dashes too, not by colour alone. */
function dashOf(index: number): { dash?: number[] } {
  return index === 0
    ? {}
    : {
        dash:
          [
            [8, 4],
            [2, 3],
            [12, 3, 2, 3],
          ][index - 1] ?? [],
      }
}

interface Axes {
  x: number
  columns: readonly Column[]
  lines: readonly (Column & { index: number })[]
}

function plotOf(container: HTMLElement, rows: readonly unknown[][], { x, columns, lines }: Axes): uPlot {
  const colours = readColours()
  const type = columns[x]?.type ?? ''
  const position = (value: unknown): number => (isTime(type) ? secondsOf(String(value), type) : Number(value))
  const sorted = rows
    .filter((row) => row[x] !== null && Number.isFinite(position(row[x])))
    .sort((a, b) => position(a[x]) - position(b[x]))
  const number = (value: unknown): number | null =>
    value === null || !Number.isFinite(Number(value)) ? null : Number(value)
  const strokes = [colours.accent, colours.up, colours.down, colours.ceiling]
  const axis = {
    stroke: colours.text,
    grid: { stroke: colours.grid, width: 1 },
    ticks: { stroke: colours.grid },
  }
  return new uPlot(
    {
      width: Math.max(320, container.clientWidth),
      height: 260,
      padding: LABEL_ROOM,
      scales: { x: { time: isTime(type) } },
      axes: [
        isTime(type) ? timeAxis(axis, type === 'DATE') : axis,
        { ...axis, size: 80, values: (_, values) => values.map(tickWords) },
      ],
      tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
      series: [
        { label: columns[x]?.name ?? '', ...(isTime(type) ? { value: timeWords(type) } : {}) },
        ...lines.map(({ name }, index) => ({
          label: name,
          stroke: strokes[index] ?? colours.text,
          width: 1.5,
          ...dashOf(index),
        })),
      ],
    },
    [
      sorted.map((row) => position(row[x])),
      ...lines.map(({ index }) => sorted.map((row) => number(row[index]))),
    ] as uPlot.AlignedData,
    container,
  )
}
