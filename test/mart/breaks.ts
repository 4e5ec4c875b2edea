/** A symbol on two sessions in a row, on both of which it trades. Prices in VND. */
export interface Listed {
  readonly symbol: string
  readonly board: 'HOSE' | 'HNX' | 'UPCOM'
  /** Close of the session before; on UPCOM its average, to the VND, which is the basis there. */
  readonly before: number
  readonly reference: number
  /** Close of the session. */
  readonly close: number
  readonly declared: readonly Declared[]
}

export interface Declared {
  readonly kind: 'cash_dividend' | 'stock_dividend' | 'bonus' | 'rights' | 'split' | 'consolidation'
  readonly ratio: number | null
  readonly amount: number | null
  readonly price: number | null
}

/** What the reference price of one symbol shows. */
export interface Judged {
  readonly symbol: string
  readonly ticksOff: number
  readonly noise: number
  readonly differs: boolean
  readonly isMarketWide: boolean
  readonly isFault: boolean
  readonly isEvent: boolean
  readonly isBeyondLimit: boolean
}

/** An event as `mart.adjustment_event` has it. */
export interface Event {
  readonly symbol: string
  readonly state: string
  readonly factor: number
}

const BANDS = { HOSE: 0.07, HNX: 0.1, UPCOM: 0.15 }

function tickOf(board: Listed['board'], price: number): number {
  if (board !== 'HOSE') return 100
  if (price < 10_000) return 10
  return price < 50_000 ? 50 : 100
}

/** Half up, as money is rounded. */
const toHundred = (price: number): number => Math.floor((price + 50) / 100) * 100

const basisOf = ({ board, before }: Listed): number => (board === 'UPCOM' ? toHundred(before) : before)

function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1
    ? (sorted[middle] ?? 0)
    : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2
}

/**
 * What docs/decisions/0054-breaks-by-their-size.md says of one day, written from that page: the second oracle of
 * `mart.reference_break`.
 */
export function judge(day: readonly Listed[]): Judged[] {
  const onUpcom = day.filter(({ board }) => board === 'UPCOM')
  const asRounded = onUpcom.filter((listed) => listed.reference === basisOf(listed)).length
  const share = onUpcom.length >= 100 ? 0.7 : 0.9
  const isRoundingKnown = onUpcom.length > 0 && asRounded / onUpcom.length >= share
  const ticksOff = day.map((listed) => {
    const { board, before, reference } = listed
    const basis = basisOf(listed)
    const tick = Math.max(tickOf(board, reference), tickOf(board, basis))
    return board === 'UPCOM' && !isRoundingKnown
      ? Math.floor(Math.abs(reference - before) / tick)
      : Math.abs(reference - basis) / tick
  })
  const small = ticksOff.filter((ticks) => ticks > 0 && ticks <= 5)
  const slight = (direction: number): number =>
    day.filter((listed, at) => {
      const ticks = ticksOff[at] ?? 0
      return ticks > 0 && ticks <= 2 && Math.sign(listed.reference - basisOf(listed)) === direction
    }).length
  let noise = 1
  if (day.length >= 50 && slight(1) === 0 && slight(-1) <= Math.max(2, day.length / 50)) noise = 0
  else if (small.length >= 5 && small.length > day.length / 10 && medianOf(small) > 1) noise = 2
  const breaks = day.filter((_, at) => (ticksOff[at] ?? 0) > noise)
  const rises = breaks.filter((listed) => listed.reference > basisOf(listed)).length
  const sizeOf = (listed: Listed): number => Math.abs(Math.log(listed.reference / basisOf(listed)))
  const medianBreak = medianOf(breaks.map(sizeOf))
  const isMarketWide =
    breaks.length >= 5 &&
    medianBreak > 0.005 &&
    (breaks.length >= day.length / 2 || (breaks.length > day.length / 10 && rises >= breaks.length / 4))
  return day.map((listed, at) => {
    const { symbol, board, reference, close } = listed
    const basis = basisOf(listed)
    const tick = Math.max(tickOf(board, reference), tickOf(board, basis))
    const differs = (ticksOff[at] ?? 0) > noise
    const standsOut = sizeOf(listed) > 4 * medianBreak && 1 - reference / basis > BANDS[board]
    const isBeyond = (price: number): boolean => Math.abs(close - price) > tick + BANDS[board] * price
    const isFault = differs && !isMarketWide && isBeyond(reference) && !isBeyond(basis)
    return {
      symbol,
      ticksOff: ticksOff[at] ?? 0,
      noise,
      differs,
      isMarketWide,
      isFault,
      isEvent: differs && !isFault && reference < basis && (!isMarketWide || standsOut),
      isBeyondLimit: isBeyond(reference),
    }
  })
}

/** The reference price after the declared actions, from the price before. */
function expectedOf(basis: number, declared: readonly Declared[]): number {
  let money = basis
  for (const { kind, amount } of declared) if (kind === 'cash_dividend') money -= amount ?? 0
  let shares = 1
  for (const { kind, ratio } of declared)
    if (kind === 'stock_dividend' || kind === 'bonus') shares += ratio ?? 0
  for (const { kind, ratio, price } of declared) {
    // Nobody pays more for a new share than for one on the market.
    if (kind !== 'rights' || (price ?? 0) >= money) continue
    shares += ratio ?? 0
    money += (ratio ?? 0) * (price ?? 0)
  }
  for (const { kind, ratio } of declared)
    if (kind === 'split' || kind === 'consolidation') shares *= ratio ?? 1
  return money / shares
}

/** The events of one day, written from docs/decisions/0055-two-sources-of-a-corporate-action.md. */
export function eventsOf(day: readonly Listed[]): Event[] {
  const judged = judge(day)
  return day.flatMap((listed, at): Event[] => {
    const verdict = judged[at]
    if (!verdict) return []
    const { symbol, board, reference, declared } = listed
    const basis = basisOf(listed)
    const observed = reference / basis
    const isCompared = !verdict.isFault && (!verdict.isMarketWide || verdict.isEvent)
    if (declared.length === 0) return verdict.isEvent ? [{ symbol, state: 'observed', factor: observed }] : []
    const wanted = expectedOf(basis, declared) / basis
    const isUsable = wanted >= 0.001 && wanted <= 1000
    const tick = Math.max(tickOf(board, reference), tickOf(board, basis))
    const open = (verdict.noise + (board === 'UPCOM' ? 2 : 1)) * tick
    const agrees = isUsable && Math.abs(reference - basis * wanted) <= open
    const isSameWay = observed < 1 === wanted < 1
    if (agrees && verdict.ticksOff > 0 && isSameWay) return [{ symbol, state: 'confirmed', factor: observed }]
    if (isCompared && verdict.differs && !agrees)
      return [{ symbol, state: 'contradicted', factor: verdict.isEvent ? observed : 1 }]
    const isBelieved = !isCompared || agrees || verdict.isBeyondLimit
    return [{ symbol, state: 'declared', factor: isBelieved && isUsable ? wanted : 1 }]
  })
}
