/** Bytes of a text that is written again and again: a name, a separator. */
export type Piece = Buffer

export function piece(text: string): Piece {
  return Buffer.from(text, 'latin1')
}

const COMMA = piece(',')
const ZERO = 0x30
/** Above it a remainder is no longer computed with 32-bit integers. */
const BILLION = 1_000_000_000
const EXACT = 1_000_000 * BILLION

/**
 * A text of ASCII characters in a buffer that is used again: a page of 1,000 candles is written without a string per row or
 * number.
 */
export class AsciiText {
  private bytes = Buffer.allocUnsafe(64 * 1024)
  length = 0

  clear(): void {
    this.length = 0
  }

  /** Makes room for so many characters; `add` and `number` need it. */
  reserve(characters: number): void {
    const needed = this.length + characters
    if (needed <= this.bytes.length) return
    const larger = Buffer.allocUnsafe(2 * needed)
    this.bytes.copy(larger, 0, 0, this.length)
    this.bytes = larger
  }

  add(part: Piece): void {
    const { bytes } = this
    let at = this.length
    for (let i = 0; i < part.length; i++) bytes[at++] = part[i] as number
    this.length = at
  }

  /** A short text of ASCII characters. */
  text(value: string): void {
    const { bytes } = this
    let at = this.length
    for (let i = 0; i < value.length; i++) bytes[at++] = value.charCodeAt(i)
    this.length = at
  }

  /** As `String(value)`. */
  number(value: number): void {
    if (!Number.isInteger(value) || value < 0 || value >= EXACT) {
      this.text(String(value))
      return
    }
    if (value < BILLION) {
      this.digits(value, 1)
      return
    }
    const billions = Math.floor(value / BILLION)
    this.digits(billions, 1)
    this.digits(value - billions * BILLION, 9)
  }

  /** Replaces everything from a place on, by a text that need not be ASCII. */
  replaceFrom(start: number, text: string): void {
    this.length = start
    this.reserve(Buffer.byteLength(text))
    this.length += this.bytes.write(text, start)
  }

  /** A record of a list, with the comma before it; it need not be ASCII. */
  record(json: string): void {
    this.reserve(1)
    if (this.length > 0) this.add(COMMA)
    this.replaceFrom(this.length, json)
  }

  textFrom(start: number): string {
    return this.bytes.toString('utf8', start, this.length)
  }

  /** The text between two others, as bytes of its own. */
  between(head: string, end: string): Buffer {
    const bytes = Buffer.allocUnsafe(head.length + this.length + end.length)
    bytes.write(head, 0, 'latin1')
    this.bytes.copy(bytes, head.length, 0, this.length)
    bytes.write(end, head.length + this.length, 'latin1')
    return bytes
  }

  /** A whole number below a billion, with at least so many digits. */
  private digits(value: number, least: number): void {
    let count = least
    for (let bound = 10 ** least; value >= bound; bound *= 10) count++
    let rest = value | 0
    for (let at = this.length + count - 1; at >= this.length; at--) {
      const tenth = (rest / 10) | 0
      this.bytes[at] = ZERO + rest - tenth * 10
      rest = tenth
    }
    this.length += count
  }
}
