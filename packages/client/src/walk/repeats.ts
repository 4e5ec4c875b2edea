/**
 * Counts records of a page that the page before already had: pages shift when rows are added at the front of a list
 * during a walk. Two native searches decide that nothing slid; only when one hits are records compared.
 *
 * @param former record list of the former page, without its brackets; empty for the first page
 * @param thorough compare records in any case, also within the page
 */
export function countRepeats(former: Uint8Array, current: Uint8Array, thorough = false): number {
  if (former.length === 0 && !thorough) return 0
  const before = asBuffer(former)
  const now = asBuffer(current)
  const slid = now.includes(identity(lastRecord(before))) || before.includes(identity(firstRecord(now)))
  if (!slid && !thorough) return 0
  const knownKeys = new Set(records(before).map((record) => identity(record).toString('latin1')))
  let repeats = 0
  for (const record of records(now)) {
    const key = identity(record).toString('latin1')
    if (knownKeys.has(key)) repeats++
    else knownKeys.add(key)
  }
  return repeats
}

/** The same page again, byte for byte. */
export function isSamePage(former: Uint8Array, current: Uint8Array): boolean {
  return former.length > 0 && asBuffer(former).equals(asBuffer(current))
}

/**
 * A record's text up to the end of its trading date when its symbol stands before it: equal keys with
 * different values are a repeat too. Any other record is its whole text.
 */
function identity(record: Buffer): Buffer {
  const symbol = record.indexOf('"symbol"')
  const date = record.indexOf('"tradingDate"')
  if (symbol < 0 || date < symbol) return record
  const comma = record.indexOf(',', date)
  return comma < 0 ? record : record.subarray(0, comma + 1)
}

function firstRecord(list: Buffer): Buffer {
  const open = list.indexOf('{')
  const close = list.indexOf('}', open)
  return open < 0 || close < 0 ? list : list.subarray(open, close + 1)
}

function lastRecord(list: Buffer): Buffer {
  const open = list.lastIndexOf('{')
  const close = list.lastIndexOf('}')
  return open < 0 || close < open ? list : list.subarray(open, close + 1)
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPEN = 0x7b
const CLOSE = 0x7d

/** Records with the objects inside them: conditional orders may have equal parameters and are not equal for that. */
function records(list: Buffer): Buffer[] {
  const outermost: Buffer[] = []
  let depth = 0
  let start = 0
  let isText = false
  for (let at = 0; at < list.length; at++) {
    const byte = list[at]
    if (byte === BACKSLASH) at++
    else if (byte === QUOTE) isText = !isText
    else if (isText) continue
    else if (byte === OPEN && depth++ === 0) start = at
    else if (byte === CLOSE && --depth === 0) outermost.push(list.subarray(start, at + 1))
  }
  return outermost
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
