/** Deterministic pseudo-randomness: everything in the sandbox's market is a function of a seed and names. */

/** Mixes three integers into 32 well-spread bits (a murmur-style finaliser). */
export function mix(a: number, b: number, c = 0): number {
  let h = a ^ Math.imul(b | 0, 0x9e3779b1) ^ Math.imul((c | 0) + 0x632be5ab, 0x85ebca6b)
  h ^= h >>> 16
  h = Math.imul(h, 0x7feb352d)
  h ^= h >>> 15
  h = Math.imul(h, 0x846ca68b)
  return (h ^ (h >>> 16)) >>> 0
}

/** A text as 32 bits (FNV-1a). */
export function hashText(text: string): number {
  let h = 0x811c9dc5
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193)
  return h >>> 0
}

/** Uniform in [0, 1) from mixed integers. */
export function unit(a: number, b: number, c = 0): number {
  return mix(a, b, c) / 4294967296
}

/** A small fast generator (mulberry32) for the draws of one symbol's day. */
export class Draws {
  private state: number

  constructor(seed: number) {
    this.state = seed | 0
  }

  /** Uniform in [0, 1). */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0
    let t = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }

  /**
   * The same as so many calls of `next`, in a third of the time: no draw waits for a decision about the one before.
   *
   * @returns an array that the next call overwrites
   */
  many(count: number): Float64Array {
    let { state } = this
    for (let i = 0; i < count; i++) {
      state = (state + 0x6d2b79f5) | 0
      let t = Math.imul(state ^ (state >>> 15), 1 | state)
      t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
      drawn[i] = ((t ^ (t >>> 14)) >>> 0) / 4294967296
    }
    this.state = state
    return drawn
  }
}

/** What `Draws.many` gives; a session has fewer minutes, and fewer bars with three draws each. */
const drawn = new Float64Array(1_200)

/**
 * Value noise in [-1, 1]: random at multiples of `period`, straight lines between. Its step from one index
 * to the next is at most `2 / period`, which is what keeps prices inside their daily bands.
 */
export function noise(seed: number, index: number, period: number): number {
  const knot = Math.floor(index / period)
  const from = unit(seed, knot, period) * 2 - 1
  if (period === 1) return from
  const to = unit(seed, knot + 1, period) * 2 - 1
  return from + ((to - from) * (index - knot * period)) / period
}
