/** More bars than this side by side: what is drawn for each would be lines of one colour. */
const MOST_BARS = 1_500

/**
 * Indexes of the first and the last bar in view; undefined where they are too many to draw something for each.
 *
 * @param range places in the chart, which has other points before the bars that are drawn
 * @param shift index of a bar less its place in the chart
 */
export function barsInView(
  range: { readonly from: number; readonly to: number },
  shift: number,
  bars: number,
): readonly [number, number] | undefined {
  const first = shift + Math.max(0, Math.floor(range.from))
  const last = Math.min(bars - 1, shift + Math.ceil(range.to))
  return last - first > MOST_BARS ? undefined : [first, last]
}
