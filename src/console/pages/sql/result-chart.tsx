import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import uPlot from 'uplot'
import {
  type ChartChoice,
  type ChartModel,
  chartModel,
  firstChoice,
  NO_CHART,
  rolesOf,
  sessionLabels,
} from '../../../read/chart-model.js'
import type { Column } from '../api.js'
import { readColours, watchScheme } from '../chart/style-colours.js'
import { LABEL_ROOM, timeAxis } from '../time-axis.js'
import { amount } from '../words.js'
import type { ResultRows } from './result-rows.js'

/** Points of a chart: more than a screen has pixels. */
const MOST_ROWS = 20_000

interface Props {
  rows: ResultRows
  columns: readonly Column[]
  count: number
}

/** Lines over days, instants or a number, or bars by a text; the grid below is its table. */
export function ResultChart({ rows, columns, count }: Props) {
  const [values, setValues] = useState<unknown[][]>()
  const [chosen, choose] = useState<ChartChoice>()
  const [problem, setProblem] = useState('')
  useEffect(() => {
    rows.range(0, Math.min(count, MOST_ROWS)).then(setValues, (error: Error) => setProblem(error.message))
  }, [rows, count])
  const choice = useMemo(() => chosen ?? (values && firstChoice(columns, values)), [values, chosen])
  const model = useMemo(() => values && choice && chartModel(columns, values, choice), [values, choice])
  if (problem !== '') return <p role="alert">{problem}</p>
  if (!values) return <p class="quiet">Drawing…</p>
  if (!choice || !model) return <p class="quiet">{NO_CHART}</p>
  const remarks = count > MOST_ROWS ? [`The first ${MOST_ROWS.toLocaleString('en-US')} rows.`] : []
  return (
    <>
      <Choices columns={columns} choice={choice} onChoose={choose} />
      <Plot model={model} over={columns[choice.over]} />
      {[...remarks, ...model.remarks].length > 0 && (
        <p class="quiet">{[...remarks, ...model.remarks].join(' ')}</p>
      )}
    </>
  )
}

interface ChoicesProps {
  columns: readonly Column[]
  choice: ChartChoice
  onChoose(choice: ChartChoice): void
}

function Choices({ columns, choice, onChoose }: ChoicesProps) {
  const { axes, texts, numbers } = rolesOf(columns)
  const values = numbers.filter((index) => index !== choice.over)
  const isSingle = choice.split !== undefined || texts.includes(choice.over)
  const change = (changed: Partial<ChartChoice>) => {
    const next = { ...choice, ...changed }
    const split = next.split === next.over ? undefined : next.split
    const needsOne = split !== undefined || texts.includes(next.over)
    const value = next.value === next.over ? undefined : next.value
    onChoose({
      ...next,
      split,
      value: value ?? (needsOne ? numbers.find((index) => index !== next.over) : undefined),
    })
  }
  return (
    <div class="toolbar">
      <Choice
        label="Over"
        columns={columns}
        places={axes}
        chosen={choice.over}
        onChoose={(over) => change({ over: over ?? 0 })}
      />
      <Choice
        label="Split by"
        columns={columns}
        places={texts.filter((index) => index !== choice.over)}
        chosen={choice.split}
        none="nothing"
        onChoose={(split) => change({ split })}
      />
      <Choice
        label="Values"
        columns={columns}
        places={values}
        chosen={choice.value}
        {...(isSingle ? {} : { none: 'every number' })}
        onChoose={(value) => change({ value })}
      />
    </div>
  )
}

interface ChoiceProps {
  label: string
  columns: readonly Column[]
  places: readonly number[]
  chosen: number | undefined
  /** Name of the choice of no column, where there is one. */
  none?: string
  onChoose(place: number | undefined): void
}

function Choice({ label, columns, places, chosen, none, onChoose }: ChoiceProps) {
  return (
    <label class="field">
      {label}
      <select
        value={chosen === undefined ? '' : String(chosen)}
        onChange={({ currentTarget: { value } }) => onChoose(value === '' ? undefined : Number(value))}
      >
        {none !== undefined && <option value="">{none}</option>}
        {places.map((place) => (
          <option key={place} value={String(place)}>
            {columns[place]?.name}
          </option>
        ))}
      </select>
    </label>
  )
}

/** The rows of its table stand below it. */
export function Plot({ model, over }: { model: ChartModel; over: Column | undefined }) {
  const container = useRef<HTMLDivElement>(null)
  useEffect(() => {
    let plot: uPlot | undefined
    const draw = () => {
      plot?.destroy()
      if (container.current && over) plot = plotOf(container.current, model, over)
    }
    draw()
    const unwatch = watchScheme(draw)
    return () => {
      unwatch()
      plot?.destroy()
    }
  }, [model])
  const names = model.series.map(({ name }) => name).join(', ')
  return (
    <div
      ref={container}
      class="plot"
      role="img"
      aria-label={`${names} over ${over?.name}. The rows below are its table.`}
    />
  )
}

/** `1.2 bn`; small numbers with their digits, the largest by their powers. */
function tickWords(value: number): string {
  if (Math.abs(value) >= 1e15) return value.toExponential(1)
  return Math.abs(value) >= 1e6 ? amount(value).replace('.0 ', ' ') : value.toLocaleString('en-US')
}

/** Lines differ by their dashes too, not by colour alone. */
const DASHES = [[], [8, 4], [2, 3], [12, 3, 2, 3], [16, 4], [4, 8], [2, 8], [16, 4, 4, 4]]

function plotOf(container: HTMLElement, model: ChartModel, over: Column): uPlot {
  const colours = readColours()
  const strokes = [colours.accent, colours.up, colours.down, colours.ceiling]
  const axis = {
    stroke: colours.text,
    grid: { stroke: colours.grid, width: 1 },
    ticks: { stroke: colours.grid },
  }
  const { positions, series, kind } = model
  const isBars = kind === 'categories'
  const styleOf = (index: number): Partial<uPlot.Series> => {
    const stroke = strokes[index % strokes.length] ?? colours.text
    return isBars
      ? {
          stroke,
          fill: index < strokes.length ? stroke : colours.grid,
          paths: barsOf(index, series.length),
          points: { show: false },
        }
      : { stroke, width: 1.5, dash: DASHES[index] ?? [] }
  }
  return new uPlot(
    {
      width: Math.max(280, container.clientWidth - 16),
      height: isBars ? 320 : 280,
      padding: LABEL_ROOM,
      scales: scalesOf(model),
      axes: [
        horizontalAxis(model, over, axis),
        { ...axis, size: 80, values: (_, values) => values.map(tickWords) },
      ],
      tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
      series: [
        { label: over.name, value: (_, at) => positionWords(model, over, at) },
        ...series.map(({ name }, index) => ({
          label: name,
          value: (_: uPlot, value: number | null) =>
            value === null ? '–' : value.toLocaleString('en-US', { maximumFractionDigits: 6 }),
          ...styleOf(index),
        })),
      ],
    },
    [positions, ...series.map(({ values }) => values)] as uPlot.AlignedData,
    container,
  )
}

/** Bars of several series stand beside each other. */
function barsOf(index: number, count: number): uPlot.Series.PathBuilder {
  const width = 0.8 / count
  const bars = uPlot.paths.bars?.({
    disp: {
      x0: { unit: 1, values: (u) => [...(u.data[0] ?? [])].map((at) => at - 0.4 + index * width) },
      size: { unit: 1, values: (u) => [...(u.data[0] ?? [])].map(() => width) },
    },
  })
  if (!bars) throw new Error('uPlot was built without bars')
  return bars
}

function scalesOf({ kind, positions }: ChartModel): uPlot.Scales {
  if (kind === 'sessions') return { x: { time: true, distr: 2 } }
  if (kind === 'numbers') return { x: { time: false } }
  return {
    x: { time: false, range: [-0.6, positions.length - 0.4] },
    // A bar begins at zero.
    y: { range: (_, least, most) => [Math.min(0, least * 1.05), Math.max(0, most * 1.05)] },
  }
}

function horizontalAxis({ kind, categories }: ChartModel, { type }: Column, axis: uPlot.Axis): uPlot.Axis {
  if (kind === 'numbers') return axis
  if (kind === 'categories') {
    const isMany = categories.length > 8
    return {
      ...axis,
      grid: { show: false },
      ...(isMany ? { rotate: -45, size: 80 } : {}),
      splits: () => categories.map((_, place) => place),
      values: (_, places) => places.map((place) => shortened(categories[place] ?? '')),
    }
  }
  // The places of days and instants are counted, so uPlot chooses among whole steps.
  const { incrs: _, ...days } = timeAxis(axis, true)
  return type === 'DATE'
    ? days
    : { ...axis, size: 60, space: 70, values: (_plot, seconds) => sessionLabels(seconds) }
}

function positionWords({ kind, categories }: ChartModel, { type }: Column, at: number | null): string {
  if (at === null || at === undefined) return '–'
  if (kind === 'categories') return categories[at] ?? ''
  if (kind === 'numbers') return at.toLocaleString('en-US')
  const text = new Date(at * 1000).toISOString()
  return type === 'DATE' ? text.slice(0, 10) : text.slice(0, 16).replace('T', ' ')
}

function shortened(text: string): string {
  return text.length > 14 ? `${text.slice(0, 13)}…` : text
}
