import { describe, expect, test } from 'vitest'
import type { Finding } from '../../src/night/findings.js'
import {
  change,
  decimal,
  duration,
  flow,
  groupedNumbers,
  instant,
  money,
  period,
  price,
} from '../../src/report/figures.js'
import { html, trusted } from '../../src/report/html.js'
import { type AccountDay, residualOf } from '../../src/report/model/accounts.js'
import { commandForAll } from '../../src/report/model/findings.js'
import { type Market, moversOf, type SymbolDay } from '../../src/report/model/market.js'
import { findingsSection } from '../../src/report/sections/findings.js'
import { flowFigure } from '../../src/report/sections/market/money.js'

const spaced = (text: string): string => text.replaceAll('\u202f', ' ')

describe('numbers', () => {
  test.each([
    [decimal(1681.239, 2), '1 681.24'],
    [decimal(-0.001, 2), '0.00'],
    [decimal(null), '–'],
    [change(0.01234), '+1.23 %'],
    [change(-0.00001), '0.00 %'],
    [money(4_981_723_530_800), '4.98 tn'],
    [money(999_960_000_000), '1.00 tn'],
    [money(71_900_000_000), '71.9 bn'],
    [money(-5_962), '−5 962'],
    [flow(209_000_000_000), '+209 bn'],
    [price(52_300), '52 300'],
    [price(1751.7), '1 751.7'],
    [duration(5.62), '5.6 s'],
    [duration(725), '12 min 5 s'],
    [duration(12_000), '3 h 20 min'],
    [
      groupedNumbers('430389792 to 29400.500000, order 20251120-4'),
      '430 389 792 to 29 400.5, order 20251120-4',
    ],
  ])('%s', (text, expected) => expect(spaced(text)).toBe(expected))

  test('times are exchange time, whatever the zone of the machine', () => {
    expect(instant('2025-11-20T17:05:59Z')).toBe('21 Nov 2025 00:05')
    expect(period('2025-11-20T11:00:00Z', '2025-11-20T11:04:05Z')).toBe('20 Nov 2025, 18:00:00 to 18:04:05')
  })
})

describe('HTML', () => {
  test('escapes every value, and shows characters that turn text around', () => {
    expect(html`<b title="${'"\'&'}">${'<script>'}</b>`.text).toBe(
      '<b title="&quot;&#39;&amp;">&lt;script&gt;</b>',
    )
    expect(html`${'a\u202eb'}`.text).toBe('a\\u{202e}b')
  })

  test('keeps HTML, joins lists, and writes nothing for nothing', () => {
    expect(html`${[html`<i>${1}</i>`, trusted('<svg/>')]}${null}${false}${undefined}`.text).toBe(
      '<i>1</i><svg/>',
    )
  })
})

const symbolDay = (symbol: string, part: number, value: number): SymbolDay => ({
  symbol,
  kind: 'stock',
  board: 'HOSE',
  name: null,
  sector: null,
  close: 1,
  ref_price: 1,
  change_part: part,
  match_value: value,
  deal_value: 0,
  deal_volume: 0,
  foreign_buy: null,
  foreign_sell: null,
  room_used: null,
  at_ceiling: false,
  at_floor: false,
  touched_ceiling: false,
  touched_floor: false,
  streak: 0,
})

test('what foreign investors bought and sold most are two lists, the largest first, of at most eight', () => {
  const traded = (symbol: string, net: number | null): SymbolDay => ({
    ...symbolDay(symbol, 0, 1e9),
    foreign_buy: net === null ? null : Math.max(net, 0),
    foreign_sell: net === null ? null : Math.max(-net, 0),
  })
  const symbolsOf = (symbols: readonly SymbolDay[]): string[][] => {
    const market = { flows: [{ trading_date: '2025-03-14', foreign_net: 1, proprietary_net: null }], symbols }
    const drawn = flowFigure(market as unknown as Market, () => trusted(''))
    const page = drawn ? drawn.text : ''
    const table = (caption: string): string =>
      new RegExp(`${caption} most by .*?</table>`, 's').exec(page)?.[0] ?? ''
    return ['Bought', 'Sold'].map((caption) =>
      [...table(caption).matchAll(/\bS\d+\b/g)].map(([symbol]) => symbol),
    )
  }
  const few = [
    traded('S1', 5),
    traded('S2', -7),
    traded('S3', 0),
    traded('S4', 9),
    traded('S5', null),
    traded('S6', -1),
  ]
  expect(symbolsOf(few)).toEqual([
    ['S4', 'S1'],
    ['S2', 'S6'],
  ])
  const many = Array.from({ length: 20 }, (_, at) => traded(`S${at}`, at - 9.5))
  expect(symbolsOf(many)).toEqual([
    ['S19', 'S18', 'S17', 'S16', 'S15', 'S14', 'S13', 'S12'],
    ['S0', 'S1', 'S2', 'S3', 'S4', 'S5', 'S6', 'S7'],
  ])
})

test('movers are the largest moves among what traded for a billion', () => {
  const { above: gainers, below: losers } = moversOf(
    [
      symbolDay('A', 0.02, 2e9),
      symbolDay('B', 0.07, 5e8),
      symbolDay('C', 0.03, 1e9),
      symbolDay('D', -0.01, 3e9),
      symbolDay('E', 0, 9e9),
    ],
    5,
  )
  expect(gainers.map(({ symbol }) => symbol)).toEqual(['C', 'A'])
  expect(losers.map(({ symbol }) => symbol)).toEqual(['D'])
})

test('cash that nothing explains is explained within what costs and income may be at most', () => {
  const day = {
    unexplained_cash: -900,
    unexplained_positions: 0,
    costs_most: 1000,
    income_most: 50,
  } as AccountDay
  expect(residualOf(day).state).toBe('explained')
  expect(residualOf({ ...day, unexplained_cash: -1001 }).state).toBe('unexplained')
  expect(residualOf({ ...day, unexplained_cash: 51 }).state).toBe('unexplained')
  expect(residualOf({ ...day, unexplained_positions: 1 }).state).toBe('unexplained')
  expect(residualOf({ ...day, unexplained_cash: null }).state).toBe('unknown')
})

const finding: Finding = {
  rule: 8,
  title: 'volumes agree',
  subject: 'market',
  tradingDate: '2025-11-20',
  severity: 'error',
  state: 'pass',
  expected: null,
  actual: null,
  residual: null,
  offenders: 0,
  checked: 70,
  note: null,
  accepted: null,
  relation: null,
  key: null,
}

test('a finding names the row to trace, quoted for a shell', () => {
  expect(commandForAll([finding])).toBe('candlehouse sql "from recon.offender where rule = 8"')
  const key = JSON.stringify({ symbol: "A'B", trading_date: '2025-11-20' })
  expect(commandForAll([{ ...finding, relation: 'market.daily_summary', key }])).toBe(
    `candlehouse trace market.daily_summary 'symbol=A'\\''B' trading_date=2025-11-20`,
  )
})

test('findings of one rule are one card with one command, whatever number of sessions it is broken in', () => {
  const broken = (day: number): Finding => ({
    ...finding,
    state: 'break',
    tradingDate: `2025-11-${day}` as Finding['tradingDate'],
    offenders: 2,
    relation: 'market.daily_summary',
    key: JSON.stringify({ symbol: 'HPG', trading_date: `2025-11-${day}` }),
    expected: '1000',
    actual: '2000',
  })
  const open = [...[20, 19, 18, 17, 14, 13, 12].map(broken), { ...broken(20), rule: 9 }]
  const page = spaced(findingsSection({ ofDay: [], open }, []).text)
  expect(page.match(/<article/g)).toHaveLength(2)
  expect(page.match(/class="command"/g)).toHaveLength(2)
  expect(page).toContain('from recon.offender where rule = 8')
  expect(page).toContain('candlehouse trace market.daily_summary symbol=HPG trading_date=2025-11-20')
  expect(page).toContain(
    '14 Nov 2025: 2 rows do not agree, of 70. The worst (HPG 2025-11-14) should be <b>1000</b>',
  )
  expect(page).toContain('and 2 more results of this rule')
  expect(page).not.toContain('13 Nov 2025')
})
