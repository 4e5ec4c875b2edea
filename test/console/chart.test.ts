import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { type BarLength, sensibleLength } from '../../src/console/bar-columns.js'
import { indicatorsOf, indicatorWords } from '../../src/console/indicators.js'
import { barOf, barsFrom, type ChartData } from '../../src/console/pages/chart/bars.js'
import { unknownChains } from '../../src/console/pages/chart/chain.js'
import { chartAddress, chartStateOf } from '../../src/console/pages/chart/chart-address.js'
import type { Colours } from '../../src/console/pages/chart/colours.js'
import {
  comparedBetween,
  comparedWords,
  indicatorsAt,
  legendOf,
} from '../../src/console/pages/chart/legend.js'
import { markersOf } from '../../src/console/pages/chart/markers.js'
import { matchingSymbols, pickedSymbol } from '../../src/console/pages/chart/symbol-search.js'

const seconds = (text: string): number => Date.parse(text) / 1000

/** Bars that open and close at the same price, at instants in exchange time. */
function flatBars(closes: Readonly<Record<string, number>>, isValue = false) {
  const close = Float64Array.from(Object.values(closes))
  const other = isValue ? close.map(() => Number.NaN) : close
  const time = Float64Array.from(Object.keys(closes), (at) => seconds(`${at}+07:00`))
  const shares = close.map(() => 100)
  return barsFrom([time, other, other.slice(), other.slice(), close, shares, shares.slice()])
}

function dataOf(closes: Readonly<Record<string, number>>, data: Partial<ChartData> = {}): ChartData {
  return {
    symbol: 'FPT',
    name: '',
    board: '',
    timeframe: '1d',
    isAdjusted: true,
    drawnIndicators: [],
    other: '',
    bars: flatBars(closes),
    otherBars: flatBars({}),
    days: [],
    events: [],
    chain: [],
    phases: [],
    fills: [],
    conditional: [],
    ...data,
  }
}

const midnight = (day: string): string => `${day}T00:00:00`

test('a week has no limits and no flow: they are those of its first day; it changes from the week before', () => {
  const week = { [midnight('2025-03-03')]: 20_000, [midnight('2025-03-10')]: 21_000 }
  const days = [
    { trading_date: '2025-03-10', ceiling: 22_000, ref_price: 20_500, floor: 19_000, foreign_net_value: 5 },
  ]
  const data = dataOf(week, { timeframe: '1w', days })
  const bar = barOf(data.bars, 1)
  expect(bar && legendOf(bar, data)).toMatch(/^2025-03-10 · O .* C 21,000 \(\+5\.00 %\) · volume 100$/)
})

describe('prices drawn as adjusted that may not be', () => {
  const [first, second] = [midnight('2025-03-10'), midnight('2025-03-11')]
  const drawn = (chain: ChartData['chain'], symbol = 'FPT') =>
    unknownChains(dataOf({ [first]: 20_000, [second]: 18_000 }, { symbol, chain, other: 'HPG' }))

  test.each([
    ['not_compared', 'its reference price, or a close before it, is not stored', true],
    ['inexact', 'sessions before it are not stored, whose moves its factor contains', true],
    ['rise', 'its reference price rose, and nothing confirms it', false],
    ['a_new_reason', 'a_new_reason', false],
  ])('before the session that %s names, with what fetches what is missing', (reason, why, isFetched) => {
    const chain = [{ symbol: 'FPT', chain_known_from: '2025-03-11', reason }]
    expect(drawn(chain)).toEqual([
      {
        words: `Prices of FPT before 2025-03-11 may miss an adjustment: ${why}.`,
        command: isFetched ? 'candlehouse backfill masterdata --symbols FPT' : undefined,
      },
    ])
  })

  test('every reason of mart.chain_gap has words', () => {
    const statement = readFileSync('sql/mart/price/unknown_link.sql', 'utf8')
    const reasons = [...statement.matchAll(/THEN '(\w+)'/g)].map(([, reason = '']) => reason)
    expect(reasons).toContain('market_wide')
    for (const reason of reasons)
      expect(drawn([{ symbol: 'FPT', chain_known_from: '2025-03-11', reason }])[0]?.words).not.toContain(
        `: ${reason}.`,
      )
  })

  test('all of them where nothing is compared, none where the first bar is known or there is none', () => {
    const nothing = { chain_known_from: null, reason: null }
    expect(drawn([{ symbol: 'FPT', ...nothing }])).toEqual([
      {
        words: 'No reference price of FPT is stored: its prices may miss adjustments.',
        command: 'candlehouse backfill masterdata --symbols FPT',
      },
    ])
    expect(drawn([{ symbol: 'FPT', chain_known_from: '2025-03-10', reason: 'rise' }])).toEqual([])
    expect(drawn([{ symbol: 'HPG', ...nothing }])).toEqual([])
  })

  test('a name that is more than a word is in no command', () => {
    const [unknown] = drawn([{ symbol: 'F;PT', chain_known_from: null, reason: null }], 'F;PT')
    expect(unknown?.command).toBeUndefined()
  })
})

describe('indicators of an address', () => {
  test.each([
    ['rsi,sma50,sma', 'sma,rsi'],
    ['vwap', 'vwap'],
    ['bands10,ema500', 'ema500,bands10'],
    ['', ''],
  ])('%j are %j: each once, in the order of the menu, usual lengths left out', (text, words) => {
    expect(indicatorWords(indicatorsOf(text) ?? [])).toBe(words)
  })

  test.each(['macd', 'sma1', 'sma501', 'vwap5', 'SMA', 'sma 5', 'sma-5'])('%j is not one', (text) => {
    expect(indicatorsOf(text)).toBeUndefined()
  })

  test('are named with their lengths, and a bar before there are enough has a dash', () => {
    const drawnIndicators = [
      { kind: 'sma', length: 3, columns: { sma: Float64Array.of(Number.NaN, 27_050.256) } },
      {
        kind: 'bands',
        length: 20,
        columns: {
          band_upper: Float64Array.of(3, 30),
          band_middle: Float64Array.of(2, 20),
          band_lower: Float64Array.of(1, 10),
        },
      },
    ] as const
    const data = dataOf(
      { [midnight('2025-03-13')]: 27_000, [midnight('2025-03-14')]: 27_050 },
      { drawnIndicators },
    )
    expect(indicatorsAt(0, data)).toBe('SMA 3 – · Bollinger 20 3 / 2 / 1')
    expect(indicatorsAt(1, data)).toBe('SMA 3 27,050.26 · Bollinger 20 30 / 20 / 10')
    expect(indicatorsAt(1, dataOf({}))).toBe('')
  })
})

describe('the search for a symbol', () => {
  const symbols = ['E1VFVN30', 'VN30', 'VN30F2503', 'VNINDEX', 'FPT'].map((symbol) => ({
    symbol,
    name: symbol === 'FPT' ? 'FPT Corp, of VN30' : '',
    name_vi: '',
  }))
  const found = (text: string): string[] => matchingSymbols(symbols, text).map(({ symbol }) => String(symbol))

  test('has the exact match first, then beginnings, then what contains the text', () => {
    expect(found('vn30')).toEqual(['VN30', 'VN30F2503', 'E1VFVN30', 'FPT'])
  })

  test('takes an index by another spelling', () => expect(found('VN-Index')).toEqual(['VNINDEX']))

  test('takes what was typed where nothing matches, a code in capitals', () => {
    expect([pickedSymbol(undefined, ' hpg '), pickedSymbol(undefined, "O'x")]).toEqual(['HPG', "O'x"])
    expect(pickedSymbol(symbols[0], ' ')).toBe('')
  })
})

describe('the address of a chart', () => {
  test.each([
    '#/chart/FPT',
    '#/chart/FPT/5m',
    '#/chart/FPT/5m/raw',
    '#/chart/FPT//adjusted/2025-03-14',
    '#/chart/FPT/1d/adjusted//VN30',
    '#/chart/FPT/1w/adjusted///sma50%2Cbands%2Crsi7',
    '#/chart/FPT//raw///vwap',
    '#/chart/a%2Fb',
  ])('%s is what its state gives', (address) => {
    const words = address.split('/').slice(2).map(decodeURIComponent)
    expect(chartAddress(chartStateOf(words))).toBe(address)
  })

  test('is adjusted unless it says raw, and in a comparison always', () => {
    const isAdjusted = (...words: string[]) => chartStateOf(['FPT', '1d', ...words]).isAdjusted
    expect([isAdjusted(), isAdjusted('raw'), isAdjusted('raw', '', 'VN30')]).toEqual([true, false, true])
  })

  test('leaves out what does not exist', () => {
    expect(chartStateOf(['FPT', '2m', '', '2025-13-40'])).toMatchObject({ timeframe: '', from: '' })
  })
})

test.each<[string, Record<string, number>, BarLength | undefined]>([
  [
    'the longest bars of which there are enough',
    { '1m': 1_125, '15m': 85, '30m': 45, '1h': 25, '1d': 5 },
    '30m',
  ],
  ['the most bars, where none are enough', { '15m': 10, '30m': 5, '1d': 1 }, '15m'],
  ['none, where sessions alone are stored', { '1d': 5 }, undefined],
])('of few sessions a chart shows %s', (_, counts, expected) => {
  const stored = Object.entries(counts).map(([timeframe, bars]) => ({ timeframe, bars }))
  expect(sensibleLength(stored)).toBe(expected)
})

describe('a comparison', () => {
  const data = dataOf(
    { [midnight('2025-03-12')]: 50, [midnight('2025-03-13')]: 100, [midnight('2025-03-14')]: 110 },
    { other: 'VN30', otherBars: flatBars({ [midnight('2025-03-14')]: 200, [midnight('2025-03-17')]: 190 }) },
  )
  const words = (from: string, to: string): string[] =>
    comparedBetween(data, seconds(`${from}Z`), seconds(`${to}Z`)).map(comparedWords)

  test('is rebased to the first bar in view, each symbol to its own', () => {
    expect(words('2025-03-13', '2025-03-17')).toEqual(['FPT 110 (+10.00 %)', 'VN30 190 (−5.00 %)'])
    expect(words('2025-03-12', '2025-03-14')).toEqual(['FPT 110 (+120.00 %)', 'VN30 200 (0.00 %)'])
  })

  test('says where a symbol has no bar yet', () => {
    expect(words('2025-03-12', '2025-03-13')).toEqual(['FPT 100 (+100.00 %)', 'VN30 no bar yet'])
  })
})

describe('the line above a chart', () => {
  const lineOf = (data: ChartData): string => {
    const bar = barOf(data.bars, data.bars.length - 1)
    return bar ? legendOf(bar, data) : ''
  }

  test('has limits as adjusted as the prices', () => {
    const day = { trading_date: '2025-03-13', ceiling: 214, ref_price: 200, floor: 186, price_factor: 0.5 }
    const data = dataOf({ [midnight('2025-03-13')]: 101 }, { days: [{ ...day, foreign_net_value: 5 }] })
    expect(lineOf(data)).toBe(
      '2025-03-13 · O 101 H 101 L 101 C 101 (+1.00 %) · volume 100 · ceiling 107 ref 100 floor 93 · foreign net 5 VND',
    )
  })

  test('of an index has its value, and its change from the session before', () => {
    const values = { [midnight('2025-03-13')]: 1_000, [midnight('2025-03-14')]: 1_010.5 }
    const data = dataOf({}, { bars: flatBars(values, true) })
    expect(lineOf(data)).toBe('2025-03-14 · 1,010.5 (+1.05 %) · volume 100')
  })
})

describe('marks', () => {
  const names = ['up', 'down', 'ceiling', 'floor', 'reference', 'accent', 'text', 'grid', 'band']
  const colours = Object.fromEntries(names.map((name) => [name, name])) as unknown as Colours
  const marked = (data: ChartData, from = 0): string[] =>
    markersOf(data, from, colours).map(
      ({ time, position, text, color }) =>
        `${new Date(Number(time) * 1000).toISOString().slice(0, 16)} ${position} ${text} ${color}`,
    )
  const sessions = { [midnight('2025-03-13')]: 107, [midnight('2025-03-14')]: 100 }
  const fill = { trading_date: '2025-03-14', side: 'B', filled_at: seconds('2025-03-14T09:17:30+07:00') }

  test('are where sessions closed at a limit, by raw prices', () => {
    const days = [
      { trading_date: '2025-03-13', close: 214, ceiling: 214, floor: 186 },
      { trading_date: '2025-03-14', close: 93, ceiling: 107, floor: 93 },
    ]
    expect(marked(dataOf(sessions, { days }))).toEqual([
      '2025-03-13T00:00 aboveBar CE ceiling',
      '2025-03-14T00:00 belowBar FL floor',
    ])
  })

  test('are at ex-dates, with what was declared', () => {
    const events = [
      { ex_date: '2025-03-14', factor: 0.9, state: 'observed', kinds: '' },
      { ex_date: '2025-03-13', factor: 0.5, state: 'contradicted', kinds: 'stock_dividend' },
      { ex_date: '2025-03-12', factor: 0.5, state: 'observed', kinds: '' },
    ]
    expect(marked(dataOf(sessions, { events }))).toEqual([
      '2025-03-13T00:00 aboveBar stock dividend ×0.5000 ? accent',
      '2025-03-14T00:00 aboveBar ex ×0.9000 accent',
    ])
  })

  test('add the fills of one bar and side', () => {
    const fills = [
      { ...fill, quantity: 100 },
      { ...fill, quantity: 200 },
      { ...fill, side: 'S', quantity: 50 },
    ]
    expect(marked(dataOf(sessions, { fills }))).toEqual([
      '2025-03-14T00:00 belowBar B 300 accent',
      '2025-03-14T00:00 aboveBar S 50 accent',
    ])
    expect(marked(dataOf(sessions, { fills }), 2)).toEqual([])
  })

  test('within a session are at the minute of the fill, else at its first bar', () => {
    const minutes = { '2025-03-14T09:15:00': 1, '2025-03-14T09:17:00': 2, '2025-03-14T09:18:00': 3 }
    const fills = [
      { ...fill, quantity: 100 },
      { ...fill, quantity: 7, filled_at: null },
      { ...fill, quantity: 9, trading_date: '2025-03-13', filled_at: null },
    ]
    expect(marked(dataOf(minutes, { timeframe: '1m', fills }))).toEqual([
      '2025-03-14T09:15 belowBar B 7 accent',
      '2025-03-14T09:17 belowBar B 100 accent',
    ])
  })
})
