/** The margin of an account, as `mart.account_margin` has it. */
export interface Margin {
  readonly account_no: string
  readonly account_type: string
  readonly trading_date: string
  /** What the service states; null for contracts. */
  readonly action: string | null
  readonly ratio: number | null
  readonly margin_call: number | null
  readonly call_ratio: number | null
  readonly force_ratio: number | null
  readonly call_distance: number | null
  readonly force_distance: number | null
  readonly warning_level_1: number | null
  readonly warning_level_2: number | null
  readonly warning_level_3: number | null
  /** The fall of all prices that the two after it assume. */
  readonly fall: number
  readonly ratio_after: number | null
  /** NONE, CALL, FORCESELL; contracts NONE, LEVEL1, LEVEL2, LEVEL3. */
  readonly action_after: string | null
}

export interface MarginWarning {
  /** `bad`: it is so now; `look`: a fall of prices would make it so. */
  readonly level: 'bad' | 'look'
  readonly text: string
}

const ORDINALS = ['first', 'second', 'third'] as const

/** What an owner has to know of the margin of an account; undefined where it is far from every level. */
export function marginWarning(margin: Margin): MarginWarning | undefined {
  return margin.account_type === 'DERIVATIVE' ? contractWarning(margin) : shareWarning(margin)
}

function shareWarning(margin: Margin): MarginWarning | undefined {
  const { action, margin_call: call, call_distance: distance, force_distance, ratio, action_after } = margin
  const ratioNow = `its margin ratio is ${percent(ratio)}`
  const levels = `call ${percent(margin.call_ratio)}, forced sale ${percent(margin.force_ratio)}`
  const asks = call ? ` The service asks for ${grouped(call)} VND.` : ''
  if (action === 'FORCESELL' || (force_distance ?? 0) < 0)
    return { level: 'bad', text: `may be sold by force: ${ratioNow} (${levels}).${asks}` }
  if ((action !== null && action !== 'NONE') || (distance ?? 0) < 0 || call)
    return { level: 'bad', text: `margin call: ${ratioNow} (${levels}).${asks}` }
  if (action_after === null || action_after === 'NONE') return undefined
  const what = action_after === 'FORCESELL' ? 'a forced sale' : 'a margin call'
  const text = `a fall of all prices by ${percent(margin.fall)} leads to ${what}: ${ratioNow}, then ${percent(margin.ratio_after)} (${levels}).`
  return { level: 'look', text }
}

function contractWarning(margin: Margin): MarginWarning | undefined {
  const levels = [margin.warning_level_1, margin.warning_level_2, margin.warning_level_3]
  const reached = levels.findLastIndex((level) => level !== null && (margin.ratio ?? 0) > level)
  const uses = `contracts need ${percent(margin.ratio)} of its assets as margin`
  if (reached >= 0)
    return {
      level: 'bad',
      text: `${uses}: beyond the ${ORDINALS[reached]} limit (${percent(levels[reached])}).`,
    }
  const after = levels[Number(/^LEVEL([123])$/.exec(margin.action_after ?? '')?.[1]) - 1]
  if (after === undefined) return undefined
  return {
    level: 'look',
    text: `a fall of all prices by ${percent(margin.fall)} leads beyond a limit (${percent(after)}): ${uses}, then ${percent(margin.ratio_after)}.`,
  }
}

/** `38.4 %`; `not known` for null. */
function percent(part: number | null | undefined): string {
  return part === null || part === undefined ? 'not known' : `${Number((100 * part).toFixed(1))} %`
}

function grouped(value: number): string {
  return Math.round(value).toLocaleString('en-US')
}
