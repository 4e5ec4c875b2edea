import { instantOf } from '../../market/day.js'
import { tradingBoard } from '../../market/kind.js'
import { ROUND_LOT } from '../../market/lot.js'
import { emptyBars } from '../world/bars.js'
import { boardAt, type Instrument } from '../world/instrument.js'
import { Memo } from '../world/memo.js'
import type { World } from '../world/world.js'
import type { Print } from './market-view.js'
import { closingCross, openingCross } from './phase.js'

const MINUTE_MS = 60_000
/** Prints of a bar: open, one extreme, the other, close, a quarter of a minute apart. */
const STEP_MS = 15_000
/** An auction trades in the last millisecond of its phase, so that orders which it leaves belong to the next phase. */
const BEFORE_THE_NEXT_PHASE_MS = 1

/** The trades of one instrument's session in order of time, computed from its one-minute bars. */
export type Prints = (instrument: Instrument, session: number) => readonly Print[]

export function printer(world: World): Prints {
  const scratch = emptyBars()
  const cache = new Memo<string, readonly Print[]>(400)
  return (instrument, session) =>
    cache.get(`${instrument.symbol} ${session}`, () => {
      world.bars(instrument, session, scratch)
      const { symbol } = instrument
      const board = tradingBoard(instrument.kind, boardAt(instrument, session))
      const day = world.time.days[session] ?? ''
      const midnight = instantOf(day)
      const [opening, closing] = [openingCross(board, day), closingCross(board, day)]
      const lot = ROUND_LOT[board]
      const prints: Print[] = []
      for (let i = 0; i < scratch.count; i++) {
        const minute = scratch.minute[i] ?? 0
        const at = midnight + minute * MINUTE_MS
        const [open, high, low, close] = [scratch.open, scratch.high, scratch.low, scratch.close].map(
          (column) => column[i] ?? 0,
        ) as [number, number, number, number]
        const volume = scratch.volume[i] ?? 0
        if (minute === closing) {
          const crossed = at - BEFORE_THE_NEXT_PHASE_MS
          prints.push({ symbol, at: crossed, price: close, volume, auction: 'atc' })
          continue
        }
        // The path of a rising bar goes to its low first.
        const path = close >= open ? [open, low, high, close] : [open, high, low, close]
        const shares = quarters(volume, lot)
        path.forEach((price, step) => {
          const auction = i === 0 && step === 0 && minute === opening ? 'ato' : undefined
          const when = auction ? at - BEFORE_THE_NEXT_PHASE_MS : at + step * STEP_MS
          const share = shares[step] ?? 0
          if (share > 0) prints.push({ symbol, at: when, price, volume: share, auction })
        })
      }
      return prints
    })
}

/** Four whole-lot parts of a volume; the first contains the remainder. */
function quarters(volume: number, lot: number): number[] {
  const part = Math.floor(volume / lot / 4) * lot
  return [volume - 3 * part, part, part, part]
}
