/** Byte range of the text between a list's brackets, with the envelope around it. */
export interface Cut {
  readonly start: number
  readonly end: number
  /** The envelope with an empty list in it; undefined for a bare array. */
  readonly envelope: unknown
}

const OPEN = 0x7b
const CLOSE = 0x7d
const COMMA = 0x2c
const BRACKET = 0x5b
const UNBRACKET = 0x5d

/** An envelope is a handful of counts; anything larger is read by JSON.parse. */
const ENVELOPE_BYTES = 4096

/**
 * Cuts around the record list, so that only the envelope is parsed: per million candles JSON.parse of whole
 * pages costs 1.5 CPU-seconds, this 0.35 (docs/decisions/0001-raw-first-duckdb-parses.md). Undefined when in
 * doubt: the caller parses.
 */
export function cutList(text: Buffer): Cut | undefined {
  const first = skip(text, 0, 1)
  const last = skip(text, text.length - 1, -1)
  if (text[first] === BRACKET && text[last] === UNBRACKET && last > first)
    return { start: first + 1, end: last, envelope: undefined }
  if (text[first] !== OPEN || text[last] !== CLOSE) return undefined
  const name = text.indexOf('"data"')
  if (name < 0 || name > ENVELOPE_BYTES) return undefined
  const colon = skip(text, name + 6, 1)
  const open = skip(text, colon + 1, 1)
  const close = text.lastIndexOf(UNBRACKET)
  if (text[colon] !== 0x3a || text[open] !== BRACKET || close <= open) return undefined
  if (text.length - close > ENVELOPE_BYTES) return undefined
  const envelope = parsed(text.toString('utf8', 0, open + 1) + text.toString('utf8', close))
  return isEnvelope(envelope) ? { start: open + 1, end: close, envelope } : undefined
}

/**
 * Counts flat records without parsing them: each `{` must follow `},` or open the list, the first and the
 * last record must parse. Undefined when anything looks different (nested, pretty-printed, two documents):
 * the caller parses.
 */
export function countFlat(text: Buffer, cut: Cut): number | undefined {
  const first = skip(text, cut.start, 1)
  const last = skip(text, cut.end - 1, -1)
  if (first >= cut.end) return 0
  if (text[first] !== OPEN || text[last] !== CLOSE) return undefined
  let rows = 0
  let lastOpen = first
  for (let at = first; at >= 0 && at < cut.end; at = text.indexOf(OPEN, at + 1)) {
    if (at !== first && (text[at - 1] !== COMMA || text[at - 2] !== CLOSE)) return undefined
    rows++
    lastOpen = at
  }
  const firstClose = text.indexOf(CLOSE, first)
  const head = parsed(text.toString('utf8', first, firstClose + 1))
  const tail = parsed(text.toString('utf8', lastOpen, last + 1))
  return isRecord(head) && isRecord(tail) ? rows : undefined
}

function skip(text: Buffer, from: number, step: 1 | -1): number {
  let at = from
  while (text[at] === 0x20 || text[at] === 0x0a || text[at] === 0x0d || text[at] === 0x09) at += step
  return at
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isEnvelope(value: unknown): boolean {
  return isRecord(value) && Array.isArray(value.data) && value.data.length === 0
}
