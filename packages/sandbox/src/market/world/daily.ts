import { type Limits, limitsAround } from 'candlehouse-foundation/market/band'
import { toTick } from 'candlehouse-foundation/market/tick'
import { type BarFiller, type Bars, basisOf, emptyBars } from './bars.js'
import { mix, unit } from './hash.js'
import { boardAt, type Instrument } from './instrument.js'
import { Memo } from './memo.js'
import type { Prices } from './prices.js'

/** The reference of a day and the band around it. VND, or index points for futures. */
interface Reference extends Limits {
  reference: number
}

/** One instrument's day, from its bars. */
export interface Daily extends Reference {
  instrument: Instrument
  session: number
  open: number
  high: number
  low: number
  close: number
  /** Value over volume; the reference on a day without a trade. */
  average: number
  volume: number
  value: number
  /** Negotiated deals, outside the matched totals. */
  dealVolume: number
  dealValue: number
}

/** Sessions whose average prices are kept: references on UPCOM are those of the session before. */
const AVERAGED_SESSIONS = 16

export interface DailyBook {
  reference(instrument: Instrument, session: number): Reference
  /** `untilMinute`: bars that started before it, for a session still running. */
  daily(instrument: Instrument, session: number, untilMinute?: number): Daily
}

export function dailyBook(prices: Prices, filler: BarFiller): DailyBook {
  const scratch = emptyBars()
  const averages = new Memo<number, Map<Instrument, number>>(AVERAGED_SESSIONS)

  const averageOf = (instrument: Instrument, session: number): number => {
    const ofSession = averages.get(session, () => new Map())
    const known = ofSession.get(instrument)
    if (known !== undefined) return known
    filler.fill(instrument, session, scratch)
    let volume = 0
    let value = 0
    for (let i = 0; i < scratch.count; i++) {
      volume += scratch.volume[i] ?? 0
      value += scratch.value[i] ?? 0
    }
    ofSession.set(instrument, value / volume)
    return value / volume
  }

  const reference: DailyBook['reference'] = (instrument, session) => {
    const ladder = prices.ladder(instrument, session)
    const last = prices.lastTraded(instrument, session)
    const onUpcom = last >= instrument.first && boardAt(instrument, session) === 'UPCOM'
    const basis = onUpcom
      ? toTick(prices.ladder(instrument, last), averageOf(instrument, last), 'nearest') *
        prices.factor(instrument, last, session)
      : basisOf(prices, instrument, session)
    const referencePrice = toTick(ladder, basis, 'nearest')
    return {
      reference: referencePrice,
      ...limitsAround(referencePrice, prices.bandPercent(instrument, session), ladder),
    }
  }

  return {
    reference,
    daily(instrument, session, untilMinute) {
      const at = reference(instrument, session)
      filler.fill(instrument, session, scratch)
      if (untilMinute !== undefined) cut(scratch, untilMinute)
      const { open, high, low, close, average, volume, value } = sums(scratch, at.reference, instrument)
      // The reference of the next session on UPCOM.
      if (untilMinute === undefined && volume > 0)
        averages.get(session, () => new Map()).set(instrument, value / volume)
      const { dealVolume, dealValue } = deals(instrument, session, at.reference)
      return {
        instrument,
        session,
        reference: at.reference,
        ceiling: at.ceiling,
        floor: at.floor,
        open,
        high,
        low,
        close,
        average,
        volume,
        value,
        dealVolume,
        dealValue,
      }
    },
  }
}

/** Keeps the bars that have begun before a minute of the day. */
export function cut(bars: Bars, untilMinute: number): void {
  let count = 0
  while (count < bars.count && (bars.minute[count] ?? 0) < untilMinute) count++
  bars.count = count
}

function sums(bars: Bars, reference: number, instrument: Instrument) {
  const { count } = bars
  if (count === 0) {
    const same = reference
    return { open: same, high: same, low: same, close: same, average: same, volume: 0, value: 0 }
  }
  let high = 0
  let low = Number.POSITIVE_INFINITY
  let volume = 0
  let value = 0
  for (let i = 0; i < count; i++) {
    high = Math.max(high, bars.high[i] ?? 0)
    low = Math.min(low, bars.low[i] ?? 0)
    volume += bars.volume[i] ?? 0
    value += bars.value[i] ?? 0
  }
  return {
    open: bars.open[0] ?? 0,
    high,
    low,
    close: bars.close[count - 1] ?? 0,
    average: value / volume / instrument.multiplier,
    volume,
    value,
  }
}

/** Now and then two holders deal a block at about the reference price. */
function deals(instrument: Instrument, session: number, reference: number) {
  const { path, kind } = instrument
  if (kind !== 'stock' || unit(path, session, 71) > 0.15) return { dealVolume: 0, dealValue: 0 }
  const dealVolume = 20_000 + (mix(path, session, 72) % 200) * 5_000
  return { dealVolume, dealValue: dealVolume * reference }
}
