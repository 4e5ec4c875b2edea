import type { Instrument } from './instrument.js'

/** Sessions next to each other keep places of their own. */
const PLACES = 4

/**
 * The latest answers of a pure function of an instrument and a session: the figures of one day ask for the same closes again and
 * again, then never again.
 */
export class Latest {
  private readonly instruments: (Instrument | undefined)[] = new Array(PLACES).fill(undefined)
  private readonly sessions = new Int32Array(PLACES)
  private readonly answers = new Float64Array(PLACES)

  constructor(private readonly compute: (instrument: Instrument, session: number) => number) {}

  get(instrument: Instrument, session: number): number {
    const place = session & (PLACES - 1)
    if (this.instruments[place] === instrument && this.sessions[place] === session)
      return this.answers[place] as number
    const answer = this.compute(instrument, session)
    this.instruments[place] = instrument
    this.sessions[place] = session
    this.answers[place] = answer
    return answer
  }
}
