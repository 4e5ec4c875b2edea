import { beforeAll, describe, expect, test } from 'vitest'
import { type Fault, NEVER_TRADED, type StandIn, type StandInMarket } from '../standin/index.js'
import { temporaryFolder } from '../support/folder.js'
import type { Ran } from '../support/program.js'
import { ALWAYS, bars, CANARIES, echo } from './support/bad-answers.js'
import { leaks, secretsSeen } from './support/canaries.js'
import { expectCode, FIRST, LAST, missingOf, night, rowsOf, SESSIONS, service } from './support/nights.js'
import { expectTruth } from './support/truth.js'

const REFUSED = 'HPG'
/** Of a board where bars may have more volume than the summary (rule 8). */
const LARGE = 'VGT'
/** Fields of any name and depth, numbers beyond 2^53, and a refusal with secrets in it. */
const ODD_VALUES: Fault[] = [
  {
    kind: 'status',
    status: 400,
    body: JSON.stringify({ code: '400', msg: `unknown caller ${echo()}` }),
    ...bars(REFUSED),
    times: ALWAYS,
  },
  { kind: 'body', transform: (text) => text.replace('{"symbol"', oddFields()), ...bars('VCB') },
  {
    kind: 'body',
    transform: (text) =>
      text.replace(/"volume":"\d+","value":"\d+"/, '"volume":9007199254740993,"value":9007199254740993.25'),
    ...bars(LARGE),
  },
  {
    kind: 'body',
    transform: (text) =>
      text.replace(/"totalMatchValue":"\d+"/, '"totalMatchValue":90071992547409931234.5678'),
    match: { path: '/data/securitiesSummary' },
  },
]

function oddFields(): string {
  const deep = `${'[{"a":'.repeat(5000)}0${'}]'.repeat(5000)}`
  return `{"__proto__":{"polluted":"yes"},"constructor":null,"deep":${deep},"symbol"`
}

const minutesSpoiled: [symbol: string, day: string, time: string, field: string, value: string][] = [
  ['VRE', FIRST, '09:15', 'open', '1,23,4'],
  ['PVS', LAST, '09:16', 'high', 'NaN'],
  ['SHS', FIRST, '09:17', 'low', 'Infinity'],
  ['VRE', LAST, '09:20', 'close', '1e400'],
  ['E1VFVN30', FIRST, '09:30', 'volume', '-'],
  ['CVRE2505', LAST, '10:00', 'value', '0x10'],
  ['PVS', FIRST, '10:30', 'volume', '1_000'],
  ['SHS', LAST, '11:29', 'volume', '12345678901234567890'],
  ['41I1F4000', FIRST, '13:00', 'open', '1350.1234567'],
  ['ACV', FIRST, '13:30', 'tradingDate', '2025/02/30 13:30:00'],
  ['ACV', LAST, '14:29', 'tradingDate', '2025/03/17 14:29:00'],
  ['PVS', FIRST, '14:45', 'tradingDate', '13-03-2025 14:45:00'],
  ['VRE', LAST, '13:00', 'volume', '12.6'],
]

describe('a night of values as no specification has them', () => {
  let standIn: StandIn
  let cwd: string
  let ran: Ran
  const spoiled = new Map<object, { field: string; value: string }>()
  const served: { field: string; text: string }[] = []
  const good = <Row extends object>(rows: Row[]): Row[] => rows.filter((row) => !spoiled.has(row))

  beforeAll(async () => {
    standIn = await service({ ...CANARIES, faults: ODD_VALUES })
    spoilRecords(standIn.market, spoiled)
    // Rows are served as copies: found again by what they say.
    const key = (row: object): string => JSON.stringify({ ...row, index: undefined })
    const byContent = new Map([...spoiled].map(([row, spoilt]) => [key(row), spoilt]))
    standIn.setOptions({
      mutateRow: (_, row, request) => {
        // A bar of five minutes with one minute in it is written as that minute.
        const { timeFrame = '1m' } = request.query
        const spoilt = timeFrame === '1m' ? byContent.get(key(row)) : undefined
        if (!spoilt) return row
        const changed = { ...row, [spoilt.field]: spoilt.value }
        served.push({ field: spoilt.field, text: JSON.stringify(changed) })
        return changed
      },
    })
    cwd = temporaryFolder()
    ran = await night(standIn, cwd)
  })

  /** What the service holds as it told it: without what it refused, with the numbers that it wrote. */
  const told = (rows: <Row extends object>(all: Row[]) => Row[], refused: string | undefined): StandIn => {
    const { market } = standIn
    const [summary] = market.summaries
    const derived = market.daily.find((row) => row.symbol === summary?.symbol)
    const large = market.minutes.find((row) => row.symbol === LARGE)
    return withMarket(standIn, {
      minutes: replaced(
        rows(market.minutes).filter((row) => row.symbol !== refused),
        large,
        { volume: '9007199254740993', value: '9007199254740993.25' },
      ),
      summaries: replaced(rows(market.summaries), summary, {
        totalMatchValue: '90071992547409931234.5678',
      }),
      // A bar has no room for it.
      daily: replaced(market.daily, derived, { value: '' }),
      masterdata: rows(market.masterdata),
      indexSummaries: rows(market.indexSummaries),
    })
  }

  test('a record that cannot be believed: quarantined with its own words, and nothing else with it', async () => {
    expectCode(ran, 4)
    expect(missingOf(ran).ohlc).toEqual(
      expect.arrayContaining(
        SESSIONS.map((day) => expect.stringContaining(`${REFUSED} 1m ${day}: 400 unknown caller`)),
      ),
    )
    expect(served).toHaveLength(spoiled.size)
    const quarantined = await rowsOf<{ reason: string; payload: string }>(
      cwd,
      'select reason, payload from ops.quarantine',
    )
    expect(quarantined.map((row) => row.payload).sort()).toEqual(served.map((row) => row.text).sort())
    for (const { field, text } of served)
      expect(quarantined.find((row) => row.payload === text)?.reason).toMatch(new RegExp(`^${field}: `))
    await expectTruth(told(good, REFUSED), cwd, { sessions: SESSIONS })
  })

  test('unknown fields of any name and depth are no harm; JSON numbers beyond 2^53 stay exact; a refusal that repeats what it was given leaves no secret in the page that is kept', async () => {
    // No limit explains it: its windows are incomplete, and nothing counts as beyond what the service serves.
    const refused = await rowsOf<{ key: string; state: string; reason: string }>(
      cwd,
      `select key, state, reason from ops.coverage
       where dataset = 'ohlc' and (reason_code = 'refusal' or state = 'refused')`,
    )
    expect(refused.map(({ key, state }) => `${key} ${state}`)).toEqual(
      SESSIONS.map(() => `${REFUSED} incomplete`),
    )
    for (const { reason } of refused) expect(reason).toContain('unknown caller')
    expect(leaks(secretsSeen(standIn), cwd, ran)).toEqual([])
    const drift = await rowsOf<{ drift: string }>(
      cwd,
      'select drift from ops.request where drift is not null',
    )
    expect(drift.flatMap((row) => row.drift.split(',').map((name) => name.trim())).sort()).toEqual([
      '__proto__',
      'constructor',
      'deep',
    ])
  })

  test('a record that was rejected, and what was refused, is asked again: once it can be believed and is answered, the night ends with 0', async () => {
    standIn.setOptions({ mutateRow: undefined, faults: [] })
    const again = await night(standIn, cwd)
    expectCode(again, 0)
    expect(missingOf(again)).toEqual({})
    // Summaries are asked again with the record that was rejected: without the number that was written once.
    const { summaries, daily } = standIn.market
    const healed = withMarket(
      told((rows) => rows, undefined),
      { summaries, daily },
    )
    await expectTruth(healed, cwd, { sessions: SESSIONS })
  })
})

/** Values that no number and no date is, in records of every dataset. */
function spoilRecords(market: StandInMarket, spoiled: Map<object, { field: string; value: string }>): void {
  const slashed = (day: string): string => day.replaceAll('-', '/')
  const spoil = (rows: { tradingDate: string }[], where: object, field: string, value: string): void => {
    const wanted = Object.entries(where)
    const row = rows.find((each) =>
      wanted.every(([name, is]) => (each as Record<string, unknown>)[name] === is),
    )
    if (!row) throw new RangeError(`no row ${JSON.stringify(where)}`)
    spoiled.set(row, { field, value })
  }
  for (const [symbol, day, time, field, value] of minutesSpoiled)
    spoil(market.minutes, { symbol, tradingDate: `${slashed(day)} ${time}:00` }, field, value)
  const last = slashed(LAST)
  spoil(market.summaries, { symbol: NEVER_TRADED, tradingDate: last }, 'totalMatch', '1e400')
  spoil(market.masterdata, { symbol: 'ACV', tradingDate: last }, 'ceiling', 'NaN')
  spoil(market.indexSummaries, { index: 'VN30', tradingDate: last }, 'indexValue', '0x10')
}

function replaced<Row extends object>(rows: Row[], row: Row | undefined, by: Partial<Row>): Row[] {
  return rows.map((each) => (each === row ? { ...each, ...by } : each))
}

function withMarket(standIn: StandIn, changes: Partial<StandInMarket>): StandIn {
  return { ...standIn, market: { ...standIn.market, ...changes } }
}
