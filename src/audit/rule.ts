import { TRADING_BOARDS, type TradingBoard } from 'candlehouse-foundation/market/board'
import { sqlFile, sqlFiles } from '../duckdb/sqlfile.js'

/** Lists whose validity a rule reads, as rules name them, with their dataset. */
const LISTS = { securities: 'securities', 'index members': 'indexMembers' } as const

/** Rows that a result can depend on besides the rows and the coverage of its own session: if they change, the result can. */
export interface Reach {
  /** Calendar days of the market before the session. No rule reads what comes after it. */
  readonly back: number
  /** Calendar days before the snapshot's trading date whose snapshots it reads. */
  readonly snapshots: number
  /** Datasets of the lists that it reads, as they were on the session. */
  readonly lists: readonly (typeof LISTS)[keyof typeof LISTS][]
}

export type Severity = 'error' | 'warn'

/** A rule as its file in `sql/rules` states it. */
export interface Rule {
  /** Number in the list of rules: what `--accept` takes. */
  readonly number: number
  readonly title: string
  /** `error`: a break withholds the rows that it names from publication. */
  readonly severity: Severity
  /** Boards on which a break of a rule of severity `error` only warns, because genuine rows break it there. */
  readonly warnsOn: readonly TradingBoard[]
  /** How often it held on real data, or that nobody has measured it; for severity `error` there is one for each board. */
  readonly evidence: readonly Measurement[]
  /** Market rules check sessions; the others check snapshots of accounts of that side. */
  readonly about: 'market' | 'accounts' | 'equity' | 'derivative'
  /**
   * Whether it assumes meanings of fields that the specification does not state: then a break is `soft` until the account is
   * listed for it in `data/reference/strict_rules.csv`.
   */
  readonly learning: boolean
  /** What it reads besides the session or snapshot itself. */
  readonly reach: Reach
  /** Whether a row's result follows from bars and answers of its own symbol alone: then new bars of a symbol change no others. */
  readonly isPerSymbol: boolean
  /** Rows that it needs to be evaluated; the note of a finding that is `not_evaluable`. */
  readonly needs: string
  /**
   * For a rule of severity `error` about the market: what it means that the rule could not be evaluated, and which data should be
   * there then (`sql/check/silent_rules.sql`). Undefined for the others.
   */
  readonly silence: string | undefined
  /** Why it should hold, with what was measured. */
  readonly why: string
  /** How far it may be off, and the reason. */
  readonly tolerance: string
  /**
   * A query over every row it can check: trading_date, subject, relation, key, expected, actual, residual, result; where
   * `warnsOn` names boards, also board.
   * Offenders are the rows whose result is not `pass`. It returns the others too, since a rule without offenders has to
   * show whether it checked anything.
   */
  readonly query: string
}

const ABOUT: readonly string[] = ['market', 'accounts', 'equity', 'derivative']

/** All rules in the order of their numbers. @throws RangeError when a file does not state what it must */
export function readRules(): Rule[] {
  return sqlFiles('rules').map((name) => parseRule(name, sqlFile(`rules/${name}`)))
}

/** What the silence of a rule of severity `error` means. @throws RangeError if there is no such rule */
export function silenceOf(number: number): string {
  const silence = readRules().find((rule) => rule.number === number)?.silence
  if (silence === undefined) throw new RangeError(`rule ${number} does not state what its silence means`)
  return silence
}

/** Part of a reach: snapshots of so many days before, besides the one just before. */
const SNAPSHOTS = /^snapshots of (\d+) days$/

/** Reads `back N days, forward 0 days`, then `snapshot before`, `snapshots of N days` and lists. @throws RangeError for anything else */
function parseReach(name: string, text: string): Reach {
  const [back, forward, ...others] = text.split(', ')
  const days = /^back (\d+) days$/.exec(back ?? '')?.[1]
  const odd = others.find(
    (other) => other !== 'snapshot before' && !SNAPSHOTS.test(other) && !(other in LISTS),
  )
  if (days === undefined || forward !== 'forward 0 days' || odd !== undefined)
    throw new RangeError(`sql/rules/${name}: reach ${text}`)
  return {
    back: Number(days),
    snapshots: Math.max(0, ...others.map((other) => Number(SNAPSHOTS.exec(other)?.[1] ?? 0))),
    lists: Object.entries(LISTS)
      .filter(([list]) => others.includes(list))
      .map(([, dataset]) => dataset),
  }
}

/** Reads `symbol`. @throws RangeError for anything else, and where reasons of all rows make one note */
function parsePer(name: string, text: string | undefined, query: string): boolean {
  if (text === undefined) return false
  if (text !== 'symbol' || query.includes("'not_evaluable'") || query.includes('\n-- learning:'))
    throw new RangeError(`sql/rules/${name}: per ${text}`)
  return true
}

/** Reads `error`, `warn`, or `error; warn on UPCOM, HNX`. @throws RangeError for anything else */
function parseSeverity(name: string, text: string): Pick<Rule, 'severity' | 'warnsOn'> {
  const [, severity, boards] = /^(error|warn)(?:; warn on (\w+(?:, \w+)*))?$/.exec(text) ?? []
  const warnsOn = boards?.split(', ') ?? []
  const isKnown = warnsOn.every((board) => (TRADING_BOARDS as readonly string[]).includes(board))
  if (!severity || !isKnown || (severity === 'warn' && warnsOn.length > 0))
    throw new RangeError(`sql/rules/${name}: severity ${text}`)
  return { severity: severity as Severity, warnsOn: warnsOn as TradingBoard[] }
}

/** Reads the lines `evidence` of a head. @throws RangeError naming the board that a rule of severity `error` lacks */
function parseEvidence(name: string, severity: Severity, lines: readonly string[]): Measurement[] {
  const file = `sql/rules/${name}`
  const evidence = lines.map((line) => parseMeasurement(file, line))
  if (evidence.length === 0)
    throw new RangeError(`${file} does not state its evidence: or that none measured`)
  const missing = TRADING_BOARDS.find((board) => !evidence.some((measured) => measured.board === board))
  if (severity === 'error' && missing)
    throw new RangeError(
      `${file} withholds rows: state its evidence of ${missing}, or: none measured, ${missing}`,
    )
  return evidence
}

/** Reads the head of a rule's file. @throws RangeError naming what it lacks */
export function parseRule(name: string, text: string): Rule {
  const head = new Map<string, string>()
  const evidence: string[] = []
  let last = ''
  for (const line of text.split('\n')) {
    if (!line.startsWith('--')) break
    const [, key, value] = /^-- (\w+): (.*)$/.exec(line) ?? []
    if (key && value) last = key
    if (last === 'evidence') {
      if (key) evidence.push(value ?? '')
      else evidence.push(`${evidence.pop()} ${line.slice(2).trim()}`)
    } else if (key && value) head.set(key, value)
    else head.set(last, `${head.get(last)} ${line.slice(2).trim()}`)
  }
  const stated = (key: string): string => {
    const value = head.get(key)
    if (value === undefined) throw new RangeError(`sql/rules/${name} does not state its ${key}`)
    return value
  }
  const number = Number(stated('rule'))
  const about = stated('about')
  const { severity, warnsOn } = parseSeverity(name, stated('severity'))
  if (Number.parseInt(name, 10) !== number)
    throw new RangeError(`sql/rules/${name} calls itself rule ${number}`)
  if (!ABOUT.includes(about)) throw new RangeError(`sql/rules/${name}: about ${about}`)
  return {
    number,
    title: stated('title'),
    severity,
    warnsOn,
    evidence: parseEvidence(name, severity, evidence),
    about: about as Rule['about'],
    learning: head.get('learning') === 'yes',
    reach: parseReach(name, stated('reach')),
    isPerSymbol: parsePer(name, head.get('per'), text),
    needs: stated('needs'),
    silence: severity === 'error' ? stated('silence') : head.get('silence'),
    why: stated('why'),
    tolerance: stated('tolerance'),
    query: text,
  }
}

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
function parseMeasurement(file: string, text: string): Measurement {
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

/** Numbers of rules as a list in SQL. */
export function numberList(rules: readonly Pick<Rule, 'number'>[]): string {
  return `[${rules.map(({ number }) => number).join(', ')}]::INTEGER[]`
}
