/** What a reader returns for text that it leaves to the macros of `sql/parse`; no value is negative. */
export const REFUSED = -1

/** Seconds of a day. */
export const DAY_SECONDS = 86_400

const QUOTE = 0x22
const COLON = 0x3a
const DASH = 0x2d
const DOT = 0x2e
const SLASH = 0x2f
const SPACE = 0x20
const ZERO = 0x30
const LETTER_T = 0x54

/** More than this is not exact as a JavaScript number. */
const LARGEST = 9e15

const POWERS = [1, 10, 100, 1000, 10_000, 100_000, 1_000_000]

/**
 * Reads values of JSON text whose form is the common one, byte by byte: digits with a point, and days with a time. All that
 * it reads, `sql/parse` reads alike (`test/load/candle-columns.test.ts`); what it refuses may be a value all the same.
 */
export class PlainValues {
  private dayDigits = 0
  private day = 0
  /** Byte offset after the value that was read: after its closing quote. */
  end = 0

  constructor(private readonly text: Buffer) {}

  /** A number without a sign, times ten to the power of `scale`. @param at byte offset of its first digit */
  scaled(at: number, scale: number): number {
    const text = this.text
    let position = at
    let byte = text[position] as number
    let value = 0
    for (; byte >= ZERO && byte <= 0x39; byte = text[++position] as number) value = value * 10 + (byte - ZERO)
    if (position === at) return REFUSED
    let decimals = scale
    if (byte === DOT) {
      const first = ++position
      byte = text[position] as number
      for (; byte >= ZERO && byte <= 0x39; byte = text[++position] as number) {
        if (decimals > 0) {
          value = value * 10 + (byte - ZERO)
          decimals--
        } else if (byte !== ZERO) return REFUSED
      }
      if (position === first) return REFUSED
    }
    if (byte !== QUOTE) return REFUSED
    value *= POWERS[decimals] as number
    if (value > LARGEST) return REFUSED
    this.end = position + 1
    return value
  }

  /**
   * Seconds since 1970 on the exchange's clock: a day, alone or with its time.
   *
   * @param at byte offset of its first digit
   */
  localTime(at: number): number {
    const text = this.text
    const separator = text[at + 4]
    if ((separator !== SLASH && separator !== DASH) || text[at + 7] !== separator) return REFUSED
    const day = this.dayAt(at)
    if (day === REFUSED) return REFUSED
    const after = text[at + 10]
    if (after === QUOTE) {
      this.end = at + 11
      return day
    }
    if ((after !== SPACE && after !== LETTER_T) || text[at + 13] !== COLON || text[at + 16] !== COLON)
      return REFUSED
    const hour = this.twoDigits(at + 11)
    const minute = this.twoDigits(at + 14)
    const second = this.twoDigits(at + 17)
    const none = hour === REFUSED || minute === REFUSED || second === REFUSED
    if (none || hour > 23 || minute > 59 || second > 59 || text[at + 19] !== QUOTE) return REFUSED
    this.end = at + 20
    return day + hour * 3600 + minute * 60 + second
  }

  /** Midnight of a day that exists, in seconds. The latest day is remembered: bars of a page share few. */
  private dayAt(at: number): number {
    const century = this.twoDigits(at)
    const year = this.twoDigits(at + 2)
    const month = this.twoDigits(at + 5)
    const day = this.twoDigits(at + 8)
    if (century < 20 || year === REFUSED || month === REFUSED || day === REFUSED) return REFUSED
    const digits = ((century * 100 + year) * 100 + month) * 100 + day
    if (digits === this.dayDigits) return this.day
    const date = new Date(Date.UTC(century * 100 + year, month - 1, day))
    if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return REFUSED
    this.dayDigits = digits
    this.day = date.getTime() / 1000
    return this.day
  }

  private twoDigits(at: number): number {
    const tens = (this.text[at] as number) - ZERO
    const ones = (this.text[at + 1] as number) - ZERO
    return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : REFUSED
  }
}
