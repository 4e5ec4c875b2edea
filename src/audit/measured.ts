import { TRADING_BOARDS, type TradingBoard } from 'candlehouse-foundation/market/board'

/** How often a rule held on real data: one line `evidence` of its head. */
export interface Measurement {
  /** Share of the sample that held the rule, percent. Null: nobody has measured it there. */
  readonly pass: number | null
  /** How many rows of what: `38,141 rows`. Null where nothing was measured. */
  readonly sample: string | null
  readonly board: TradingBoard | 'all boards'
  /** First and last day, month or year of the sample, `..` between them; null where they were not recorded. */
  readonly period: string | null
  /** Page and section that state it. */
  readonly source: string | null
}

const DAY = String.raw`\d{4}(?:-\d{2}(?:-\d{2})?)?`
const SAMPLE = String.raw`(?:[\d,]+|an unknown number of) \w.*`
const MEASURED = new RegExp(
  String.raw`^(?<pass>\d+(?:\.\d+)?) % of (?<sample>${SAMPLE}), (?<board>[\w ]+), (?<period>(?:${DAY})?\.\.${DAY}|days not recorded), (?<source>docs/[\w-]+\.md#[\w-]+)$`,
)

const HINT =
  'write PASS % of NUMBER ROWS, BOARD, FROM..TO (or: days not recorded), a page of docs and its #section; or: none measured'

/** Reads one line `evidence`. @throws RangeError saying what to write */
export function parseMeasurement(file: string, text: string): Measurement {
  const [, nowhere] = /^none measured(?:, (.+))?$/.exec(text) ?? []
  if (text.startsWith('none measured')) {
    const board = boardOf(file, nowhere ?? 'all boards', text)
    return { pass: null, sample: null, board, period: null, source: null }
  }
  const groups = MEASURED.exec(text)?.groups
  if (!groups) throw new RangeError(`${file}: evidence '${text}': ${HINT}`)
  const pass = Number(groups.pass)
  if (pass > 100) throw new RangeError(`${file}: evidence '${text}': more than 100 %`)
  return {
    pass,
    sample: groups.sample ?? null,
    board: boardOf(file, groups.board ?? '', text),
    period: groups.period === 'days not recorded' ? null : (groups.period ?? null),
    source: groups.source ?? null,
  }
}

function boardOf(file: string, name: string, text: string): Measurement['board'] {
  const board = [...TRADING_BOARDS, 'all boards' as const].find((known) => known === name)
  if (!board)
    throw new RangeError(`${file}: evidence '${text}': name one of ${TRADING_BOARDS.join(', ')}, all boards`)
  return board
}
