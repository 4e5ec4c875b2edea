import type {
  IChartApi,
  IPrimitivePaneRenderer,
  IPrimitivePaneView,
  ISeriesPrimitive,
  SeriesAttachedParameter,
  Time,
  UTCTimestamp,
} from 'lightweight-charts'
import type { Row } from '../api.js'
import { minuteOf } from './bars.js'
import { barsInView } from './bars-in-view.js'

type Target = Parameters<IPrimitivePaneRenderer['draw']>[0]

/** The kind of time that a bar is in. */
type Kind = 'auction' | 'morning' | 'afternoon' | 'outside'

/**
 * Draws behind the bars: auctions as bands, a dashed line where lunch was, a line where a session begins. Only for bars
 * within a day.
 */
export class SessionBands implements ISeriesPrimitive<Time> {
  private chart: IChartApi | undefined
  /** Index of a bar less its place in the chart, which has other points before the bars that are drawn. */
  shift = 0
  private readonly views: readonly IPrimitivePaneView[]

  constructor(
    private readonly times: Float64Array,
    private readonly phases: readonly Row[],
    private readonly colours: { band: string; line: string },
  ) {
    this.views = [
      { zOrder: () => 'bottom', renderer: () => ({ draw: (target: Target) => this.draw(target) }) },
    ]
  }

  attached({ chart }: SeriesAttachedParameter<Time>): void {
    this.chart = chart as IChartApi
  }

  detached(): void {
    this.chart = undefined
  }

  paneViews(): readonly IPrimitivePaneView[] {
    return this.views
  }

  private kindOf(time: number): Kind {
    const [day = '', minute = ''] = new Date(time * 1000).toISOString().split(/[TZ.]/)
    const phase = this.phases.find(
      ({ starts, ends, valid_from, valid_to }) =>
        String(starts) <= minute &&
        minute < String(ends) &&
        String(valid_from) <= day &&
        day <= String(valid_to),
    )
    if (!phase) return 'outside'
    if (phase.phase !== 'continuous') return 'auction'
    return minute < '12:00' ? 'morning' : 'afternoon'
  }

  private draw(target: Target): void {
    const scale = this.chart?.timeScale()
    const range = scale?.getVisibleLogicalRange()
    if (!scale || !range) return
    const bars = barsInView(range, this.shift, this.times.length)
    if (!bars) return
    const [first, last] = bars
    const half = scale.options().barSpacing / 2
    target.useBitmapCoordinateSpace(({ context, bitmapSize, horizontalPixelRatio }) => {
      for (let index = first; index <= last; index += 1) {
        const time = this.times[index] ?? 0
        const at = scale.timeToCoordinate(time as UTCTimestamp)
        if (at === null) continue
        const left = (at - half) * horizontalPixelRatio
        if (this.kindOf(time) === 'auction') {
          context.fillStyle = this.colours.band
          context.fillRect(left, 0, 2 * half * horizontalPixelRatio, bitmapSize.height)
        }
        const before = this.times[index - 1]
        if (before !== undefined) this.drawBreak(context, left, bitmapSize.height, before, time)
      }
    })
  }

  private drawBreak(
    context: CanvasRenderingContext2D,
    x: number,
    height: number,
    before: number,
    time: number,
  ): void {
    const isNewDay = Math.floor(before / 86_400) !== Math.floor(time / 86_400)
    const isLunch = !isNewDay && minuteOf(before) < '12:00' && minuteOf(time) >= '12:00'
    if (!isNewDay && !isLunch) return
    context.strokeStyle = this.colours.line
    context.setLineDash(isLunch ? [4, 4] : [])
    context.beginPath()
    context.moveTo(x, 0)
    context.lineTo(x, height)
    context.stroke()
    context.setLineDash([])
  }
}
