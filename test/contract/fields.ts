import { Broken, expectThat, type Row } from './check.js'
import type { Probe } from './probe.js'
import { shown } from './shown.js'

/** Fields that are words or names: a JSON number there is no way to write a number. */
const TEXT = new Set(
  `symbol symbolNameVi symbolNameEn board maturityDate firstTradingDate lastTradingDate cwUnderlyingSymbol icbCode icbName index
  indexName tradingDate exchange accountNo accountType clientRequestId orderId side orderType inputTime modifiedTime orderStatus
  message fcoId username from to detail type status state time`.split(/\s+/),
)

/** Fields that do not apply to every security or order: null where they do not. */
const MAY_BE_NULL = new Set(
  `openInterest settlementPrice maturityDate firstTradingDate lastTradingDate cwUnderlyingSymbol cwExercisePrice cwExecutionRatio
  iIndex iNav`.split(/\s+/),
)

/** Every field is there, and its values are strings; known live differences are noted. */
export function expectStrings(probe: Probe, row: Row, fields: readonly string[], what: string): void {
  const suffixes = suffixesOf(row, fields)
  for (const field of fields) {
    const value = fieldOf(probe, row, field, what, suffixes)
    if (typeof value === 'string') continue
    if (typeof value === 'number' && !TEXT.has(field))
      probe.knows('numbers-and-nulls', `${what}.${field} is a JSON number`)
    else if (value === null && MAY_BE_NULL.has(field))
      probe.knows('numbers-and-nulls', `${what}.${field} is null`)
    else throw new Broken(`${what}.${field} is ${shown(value)}, not a string`)
  }
}

/** The value of a field, in whatever case its name is written. @throws Broken where there is none */
export function fieldOf(
  probe: Probe,
  row: Row,
  field: string,
  what: string,
  suffixes: Suffixes = NO_SUFFIXES,
): unknown {
  if (field in row) return row[field]
  const otherCase = Object.keys(row).find((name) => name.toLowerCase() === field.toLowerCase())
  if (otherCase !== undefined) {
    probe.knows('letter-case', `${what}.${field} is called ${otherCase}`)
    return row[otherCase]
  }
  const other = withSuffix(row, field, suffixes)
  if (other !== undefined) {
    probe.knows('field-suffixes', `${what}.${field} is called ${other}`)
    return row[other]
  }
  throw new Broken(`${what}.${field} is missing`)
}

/** What a deployment writes for the suffixes of the specification; both are undefined where it writes these. */
interface Suffixes {
  readonly Broker: string | undefined
  readonly Depository: string | undefined
}

const NO_SUFFIXES: Suffixes = { Broker: undefined, Depository: undefined }
const SUFFIXED = /^(.+?)(_?)(broker|depository)$/i

/** Reads both from the first field of each that a record lacks: what stands after the same stem. */
function suffixesOf(row: Row, fields: readonly string[]): Suffixes {
  const known = new Set(fields)
  const suffixOf = (word: string): string | undefined => {
    for (const field of fields.filter((name) => name.endsWith(word) && !(name in row))) {
      const stem = field.slice(0, -word.length)
      const names = Object.keys(row).filter((name) => name.startsWith(stem) && !known.has(name))
      const found = names.map((name) => name.slice(stem.length)).filter((rest) => /^[A-Z]\w*$/.test(rest))
      // `cashBroker` and `cashDepository` have one stem: the order of a record is that of the specification.
      const at = word === 'Depository' ? found.length - 1 : 0
      if (found[at] !== undefined) return found[at]
    }
    return undefined
  }
  return { Broker: suffixOf('Broker'), Depository: suffixOf('Depository') }
}

function withSuffix(row: Row, field: string, suffixes: Suffixes): string | undefined {
  const [, stem = '', line = '', word = ''] = SUFFIXED.exec(field) ?? []
  if (!word) return undefined
  const suffix = /^broker$/i.test(word) ? suffixes.Broker : suffixes.Depository
  if (suffix === undefined) return undefined
  // `doverdue_broker` and `dbroker` are the only ones in lower case.
  const wanted = (stem + line + suffix).toLowerCase()
  return Object.keys(row).find((name) => name.toLowerCase() === wanted)
}

/** A number in any of the forms that are known: `1234`, `"1234.0"`, `"2,493,089"`. @throws Broken for others */
export function numberOf(value: unknown, what: string): number {
  const text = String(value)
  const plain = /^-?\d{1,3}(,\d{3})+(\.\d+)?$/.test(text) ? text.replaceAll(',', '') : text
  expectThat(/^-?\d+(\.\d+)?$/.test(plain), `${what} is ${shown(value)}, not a number`)
  return Number(plain)
}

/** The day of a trading date, as `YYYY/MM/DD`. */
export function dayOf(value: unknown): string {
  return String(value).slice(0, 10).replaceAll('-', '/')
}
